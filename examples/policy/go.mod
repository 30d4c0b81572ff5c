module example.com/policy

go 1.26.0

require lbsim v0.0.0

require (
	github.com/BurntSushi/toml v1.6.0 // indirect
	github.com/cockroachdb/datadriven v1.0.3 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

replace lbsim => ../..
