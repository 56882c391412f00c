"""The parts of `join_facts.py`: what rows and things say, whether two are one, what is written of them."""
