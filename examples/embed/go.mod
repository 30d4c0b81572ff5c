module example.com/embed

go 1.26.0

require lbsim v0.0.0

replace lbsim => ../..
