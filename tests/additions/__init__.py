"""Methods that the tests add, to show what an addition costs: no file of the package is changed for them."""
