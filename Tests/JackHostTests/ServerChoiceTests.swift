import JackHost
import Testing

struct ServerChoiceTests {
    @Test("sound cards are read in the format of the kernel's list")
    func cards() {
        let text = """
            00-00: ALC257 Analog : ALC257 Analog : playback 1 : capture 1
            00-03: HDMI 0 : HDMI 0 : playback 1
            02-00: USB Audio : USB Audio : capture 1

            """
        #expect(
            SoundCard.list(text) == [
                SoundCard(card: 0, device: 0, hasPlayback: true, hasCapture: true),
                SoundCard(card: 0, device: 3, hasPlayback: true, hasCapture: false),
                SoundCard(card: 2, device: 0, hasPlayback: false, hasCapture: true),
            ])
        #expect(SoundCard.list("").isEmpty)
        #expect(SoundCard.list("nonsense\n-: \n").isEmpty)
    }

    @Test("a playback-only card is opened only for playback")
    func playbackOnly() {
        let card = SoundCard(card: 1, device: 3, hasPlayback: true, hasCapture: false)
        let arguments = ServerDriver.alsa(card).arguments(server: "stage")
        #expect(arguments.starts(with: ["-n", "stage", "-d", "alsa", "-d", "hw:1,3", "-P"]))
    }

    @Test("without permission for real-time threads the server does not promise them")
    func noRealtime() {
        let arguments = ServerDriver.dummy.arguments(server: "stage", isRealtime: false)
        #expect(arguments.starts(with: ["-n", "stage", "-r", "-d", "dummy"]))
    }

    @Test("without a name the server gets JACK's default one")
    func defaultName() {
        #expect(
            ServerDriver.dummy.arguments(server: nil) == [
                "-d", "dummy", "-r", "48000", "-p", "128",
            ])
    }
}
