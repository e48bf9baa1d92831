# Types a command into an interactive zsh, and fails if the tabulator does not complete it.
zmodload zsh/zpty
typeset text piece
integer tries
zpty -b shell zsh -f -i
zpty -w shell 'PS1=; autoload -U compinit; compinit -u; print rea""dy'
for ((tries = 0; tries < 100; tries++)); do
    zpty -r shell piece && text+=$piece
    [[ $text == *ready* ]] && break
    sleep 0.1
done
text=
zpty -w -n shell $'stompline che\t'
for ((tries = 0; tries < 100; tries++)); do
    zpty -r shell piece && text+=$piece
    [[ $text == *'stompline check'* ]] && exit 0
    sleep 0.1
done
print -r -- "zsh shows: $text"
exit 1
