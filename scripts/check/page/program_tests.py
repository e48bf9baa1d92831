"""Placeholder until below."""


class Program:
    pass
