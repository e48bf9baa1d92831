"""The names and ranges of effects, which later releases may only extend."""


def ranges(effects):
    """Returns the contract of each effect: its parameters and settings, with kind, choices and range."""
    return {
        effect["type"]: {
            group: {each["name"]: facts(each) for each in effect[group]}
            for group in ("parameters", "strip_parameters", "settings", "reports")
        } for effect in effects
    }


def facts(value):
    """Returns what files rely on: not the summary and the label."""
    kept = ("kind", "unit", "minimum", "maximum", "default", "choices")
    return {key: value[key] for key in kept if value.get(key) is not None}


def narrowed(former, present):
    """Yields everything that a former release allowed and the present one does not."""
    for effect, groups in former.items():
        if effect not in present:
            yield f"the effect {effect} is gone"
            continue
        for group, values in groups.items():
            for name, wanted in values.items():
                found = present[effect][group].get(name)
                place = f"{effect}.{name} ({group})"
                if found is None:
                    yield f"{place} is gone"
                else:
                    yield from (f"{place} {reason}" for reason in losses(wanted, found))


def losses(wanted, found):
    """Yields the ways in which a value has become narrower."""
    for key in ("kind", "unit", "default"):
        if wanted.get(key) != found.get(key):
            yield f"has the {key} {found.get(key)}, not {wanted.get(key)}"
    for choice in wanted.get("choices", []):
        if choice not in found.get("choices", []):
            yield f"has no choice {choice}"
    if "minimum" in wanted and found.get("minimum", wanted["minimum"]) > wanted["minimum"]:
        yield f"begins at {found['minimum']}, not at {wanted['minimum']}"
    if "maximum" in wanted and found.get("maximum", wanted["maximum"]) < wanted["maximum"]:
        yield f"ends at {found['maximum']}, not at {wanted['maximum']}"
