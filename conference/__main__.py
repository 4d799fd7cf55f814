"""`python -m conference`."""

import sys

if __name__ == "__main__":
    try:
        from conference.cli import main

        main()
    except KeyboardInterrupt:  # while it was still being imported
        print("plenary: stopped", file=sys.stderr)
        sys.exit(1)
