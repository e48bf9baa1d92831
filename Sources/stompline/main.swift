print("stompline")
