package policies

import "errors"

// pickFirstAlone is pick_first as the policy of a channel. It is its own pickFirstParent.
type pickFirstAlone struct {
	Host
	pickFirst
	shuffle bool
}

func (a *pickFirstAlone) report(*pickFirst)                            { a.UpdateState(a.state, a) }
func (a *pickFirstAlone) newSubConn(_ *pickFirst, ad *Address) SubConn { return a.NewSubConn(ad) }
func (a *pickFirstAlone) ExitIdle()                                    { a.exitIdle(a) }
func (a *pickFirstAlone) Close()                                       { a.close(a) }
func (a *pickFirstAlone) ResolverError(err *Status)                    { a.resolverError(a, err) }
func (a *pickFirstAlone) Pick(Call) Pick                               { return a.pick(a) }
func (a *pickFirstAlone) Done(Pick, Outcome)                           {}
func (a *pickFirstAlone) HealthState(SubConn, Connectivity, *Status)   {} // it never asks
func (a *pickFirstAlone) LoadReport(SubConn, *Load)                    {} // nor for this
func (a *pickFirstAlone) SubConnState(sc SubConn, c Connectivity, err *Status) {
	a.subConnState(a, sc, c, err)
}

func (a *pickFirstAlone) Update(s State) error {
	endpoints := s.Endpoints
	if p, ok := s.Policy.(PickFirst); ok {
		a.shuffle = p.ShuffleAddressList
	}
	if len(endpoints) == 0 {
		a.empty(a)
		return errors.New(errNoAddresses.Text)
	}
	if a.shuffle {
		endpoints = shuffled(endpoints, a.Rand())
	}
	n := 0
	for _, e := range endpoints {
		n += len(e.Addresses)
	}
	addresses := make([]*Address, 0, n)
	for _, e := range endpoints {
		addresses = append(addresses, e.Addresses...)
	}
	a.update(a, addresses, make([]candidate, 0, n))
	return nil
}
