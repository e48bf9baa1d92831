#include "position.h"

#include <lv2/atom/forge.h>
#include <lv2/time/time.h>
#include <string.h>

#include "features.h"
#include "plugin.h"

static const double beatsPerMinute = 120;

static double beats(Position position) {
    return (double)position.frame * beatsPerMinute / (60.0 * sampleRate);
}

static double bars(Position position) { return (double)(int64_t)(beats(position) / 4); }

static LV2_URID map(LV2_URID_Map_Handle handle, const char *uri) {
    (void)handle;
    return urid(uri);
}

void position_append(Position position, LV2_Atom_Sequence *sequence, unsigned bytes) {
    LV2_URID_Map uridMap = {NULL, map};
    LV2_Atom_Forge forge;
    LV2_Atom_Forge_Frame whole, object;
    lv2_atom_forge_init(&forge, &uridMap);
    lv2_atom_forge_set_buffer(&forge, (uint8_t *)sequence, bytes);
    lv2_atom_forge_sequence_head(&forge, &whole, 0);
    lv2_atom_forge_frame_time(&forge, 0);
    lv2_atom_forge_object(&forge, &object, 0, urid(LV2_TIME__Position));
    lv2_atom_forge_key(&forge, urid(LV2_TIME__frame));
    lv2_atom_forge_long(&forge, position.frame);
    lv2_atom_forge_key(&forge, urid(LV2_TIME__speed));
    lv2_atom_forge_float(&forge, 1);
    lv2_atom_forge_key(&forge, urid(LV2_TIME__bar));
    lv2_atom_forge_long(&forge, (int64_t)bars(position));
    lv2_atom_forge_key(&forge, urid(LV2_TIME__beat));
    lv2_atom_forge_double(&forge, beats(position));
    lv2_atom_forge_key(&forge, urid(LV2_TIME__barBeat));
    lv2_atom_forge_float(&forge, (float)(beats(position) - 4 * bars(position)));
    lv2_atom_forge_key(&forge, urid(LV2_TIME__beatUnit));
    lv2_atom_forge_int(&forge, 4);
    lv2_atom_forge_key(&forge, urid(LV2_TIME__beatsPerBar));
    lv2_atom_forge_float(&forge, 4);
    lv2_atom_forge_key(&forge, urid(LV2_TIME__beatsPerMinute));
    lv2_atom_forge_float(&forge, (float)beatsPerMinute);
    lv2_atom_forge_pop(&forge, &object);
    lv2_atom_forge_pop(&forge, &whole);
}

int position_value(Position position, const char *designation, float *value) {
    const struct {
        const char *uri;
        double value;
    } all[] = {
        {LV2_TIME__frame, (double)position.frame},
        {LV2_TIME__speed, 1},
        {LV2_TIME__bar, bars(position)},
        {LV2_TIME__beat, beats(position)},
        {LV2_TIME__barBeat, beats(position) - 4 * bars(position)},
        {LV2_TIME__beatUnit, 4},
        {LV2_TIME__beatsPerBar, 4},
        {LV2_TIME__beatsPerMinute, beatsPerMinute},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k += 1)
        if (strcmp(all[k].uri, designation) == 0) {
            *value = (float)all[k].value;
            return 1;
        }
    return 0;
}
