// The events that an LV2 host sends to a plugin: MIDI messages and the tempo.
#pragma once

#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/urid/urid.h>
#include <stdbool.h>
#include <stdint.h>

/// The host's numbers for the types and properties of events; all 0 if the host has none.
typedef struct PluginTerms {
    LV2_URID sequence, midiEvent, object, blank, position, beatsPerMinute;
    LV2_URID floatType, doubleType, intType, longType;
} PluginTerms;

/// A place in the events of a run.
typedef struct PluginCursor {
    const LV2_Atom_Sequence *_Nullable sequence;
    const LV2_Atom_Event *_Nullable next;
} PluginCursor;

/// A MIDI message or a new tempo.
typedef struct PluginEvent {
    int64_t frame;
    /// NULL if the event is a tempo.
    const uint8_t *_Nullable bytes;
    int32_t byteCount;
    float beatsPerMinute;
} PluginEvent;

/// Returns the place of the first event in an event port; the port may be unconnected.
static inline PluginCursor plugin_first_event(PluginTerms terms, const void *_Nullable port) {
    PluginCursor cursor = {NULL, NULL};
    const LV2_Atom_Sequence *sequence = port;
    if (!sequence || terms.sequence == 0 || sequence->atom.type != terms.sequence) return cursor;
    cursor.sequence = sequence;
    cursor.next = lv2_atom_sequence_begin(&sequence->body);
    return cursor;
}

static inline float plugin_number(PluginTerms terms, const LV2_Atom *_Nonnull atom) {
    if (atom->type == terms.floatType) return ((const LV2_Atom_Float *)atom)->body;
    if (atom->type == terms.doubleType) return (float)((const LV2_Atom_Double *)atom)->body;
    if (atom->type == terms.intType) return (float)((const LV2_Atom_Int *)atom)->body;
    if (atom->type == terms.longType) return (float)((const LV2_Atom_Long *)atom)->body;
    return 0;
}

/// Reads the event at a place, and moves on to the next one.
///
/// Returns false after the last event. Other events than MIDI messages and tempos are skipped.
static inline bool plugin_next_event(
    PluginTerms terms, PluginCursor *_Nonnull cursor, PluginEvent *_Nonnull event) {
    const LV2_Atom_Sequence *sequence = cursor->sequence;
    while (sequence && !lv2_atom_sequence_is_end(&sequence->body, sequence->atom.size, cursor->next)) {
        const LV2_Atom_Event *found = cursor->next;
        cursor->next = lv2_atom_sequence_next(found);
        event->frame = found->time.frames;
        event->bytes = NULL;
        if (found->body.type == terms.midiEvent) {
            event->bytes = (const uint8_t *)(found + 1);
            event->byteCount = (int32_t)found->body.size;
            return true;
        }
        if (found->body.type != terms.object && found->body.type != terms.blank) continue;
        const LV2_Atom_Object *object = (const LV2_Atom_Object *)&found->body;
        if (object->body.otype != terms.position) continue;
        const LV2_Atom *tempo = NULL;
        lv2_atom_object_get(object, terms.beatsPerMinute, &tempo, 0);
        if (!tempo) continue;
        event->beatsPerMinute = plugin_number(terms, tempo);
        return true;
    }
    return false;
}
