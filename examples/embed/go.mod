module example.com/embed

go 1.26.0

require lbsim v0.0.0

require (
	github.com/BurntSushi/toml v1.6.0 // indirect
	github.com/HdrHistogram/hdrhistogram-go v1.4.0 // indirect
)

replace lbsim => ../..
