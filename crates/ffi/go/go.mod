module quorate.dev/quorate

go 1.24
