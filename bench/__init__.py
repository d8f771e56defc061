"""The load generator and the figures of Rebelote: `python -m bench` (see bench/README.md)."""
