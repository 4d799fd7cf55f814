"""`python -m conference`."""

from conference.cli import main

if __name__ == "__main__":
    main()
