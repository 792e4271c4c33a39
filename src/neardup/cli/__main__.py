"""`python -m neardup.cli` is the command `neardup`."""

from neardup.cli import main

raise SystemExit(main())
