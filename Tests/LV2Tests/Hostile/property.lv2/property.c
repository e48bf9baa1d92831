// A plugin with a state and with properties that are set by messages.

#include <lv2/atom/atom.h>
#include <lv2/atom/forge.h>
#include <lv2/atom/util.h>
#include <lv2/core/lv2.h>
#include <lv2/patch/patch.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN "urn:stompline-test:property#"

typedef struct Instance {
    float *out;
    float *one;
    const float *level;
    const LV2_Atom_Sequence *control;
    LV2_Atom_Sequence *notify;
    LV2_URID_Map *map;
    LV2_Atom_Forge forge;
    // The values that follow the level in the output, in this order.
    struct {
        float amount;
        float steps;
        float levelProperty;
        float named;
        // The length of the word, and the first character of the file.
        float wordLength;
        float fileStart;
        float messages;
        // The room in bytes in the event output's buffer, and the number of states restored during
        // a run.
        float room;
        float overlaps;
        float wordMessages;
    } has;
    int isAsked;
    int isRunning;
    char word[20000];
    char file[4096];
    // A file created by the plugin.
    char made[4096];
} Instance;

static LV2_URID urid(const Instance *instance, const char *uri) {
    return instance->map->map(instance->map->handle, uri);
}

static LV2_Handle make(
    const LV2_Descriptor *descriptor, double rate, const char *path, const LV2_Feature *const *features) {
    (void)descriptor, (void)rate, (void)path;
    Instance *instance = calloc(1, sizeof(Instance));
    for (; *features; features += 1) {
        if (!strcmp((*features)->URI, LV2_URID__map)) instance->map = (*features)->data;
        if (!strcmp((*features)->URI, LV2_STATE__makePath)) {
            LV2_State_Make_Path *makePath = (*features)->data;
            char *made = makePath->path(makePath->handle, "folder/made.txt");
            snprintf(instance->made, sizeof instance->made, "%s", made);
            free(made);
            FILE *file = fopen(instance->made, "w");
            if (file) fputs("made", file), fclose(file);
        }
    }
    lv2_atom_forge_init(&instance->forge, instance->map);
    // URIs mapped here are found without a lock during the run.
    const char *const known[] = {
        OWN "amount", OWN "steps", OWN "level", OWN "named", OWN "told", OWN "other", OWN "word", OWN "file",
        LV2_PATCH__Get, LV2_PATCH__Set, LV2_PATCH__property, LV2_PATCH__value,
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k += 1) urid(instance, known[k]);
    instance->has.steps = 3;
    instance->has.named = 1.5f;
    return instance;
}

static void connectPort(LV2_Handle handle, uint32_t port, void *place) {
    Instance *instance = handle;
    void **const places[] = {
        (void **)&instance->out,     (void **)&instance->one,    (void **)&instance->level,
        (void **)&instance->control, (void **)&instance->notify,
    };
    *places[port] = place;
}

static void setWord(Instance *instance, const char *word) {
    snprintf(instance->word, sizeof instance->word, "%s", word);
    instance->has.wordLength = (float)strlen(instance->word);
}

static void setFile(Instance *instance, const char *path) {
    snprintf(instance->file, sizeof instance->file, "%s", path);
    FILE *file = fopen(path, "r");
    instance->has.fileStart = file ? (float)fgetc(file) : -1;
    if (file) fclose(file);
}

static void set(Instance *instance, LV2_URID property, const LV2_Atom *value) {
    const void *body = LV2_ATOM_BODY_CONST(value);
    if (property == urid(instance, OWN "amount") && value->type == instance->forge.Float)
        instance->has.amount = *(const float *)body;
    if (property == urid(instance, OWN "steps") && value->type == instance->forge.Long)
        instance->has.steps = (float)*(const int64_t *)body;
    if (property == urid(instance, OWN "level") && value->type == instance->forge.Bool)
        instance->has.levelProperty = (float)*(const int32_t *)body;
    if (property == urid(instance, OWN "named") && value->type == instance->forge.Double)
        instance->has.named = (float)*(const double *)body;
    if (property == urid(instance, OWN "word") && value->type == instance->forge.String) {
        instance->has.wordMessages += 1;
        setWord(instance, body);
    }
    if (property == urid(instance, OWN "file") && value->type == instance->forge.Path) setFile(instance, body);
}

static void receive(Instance *instance) {
    LV2_ATOM_SEQUENCE_FOREACH (instance->control, event) {
        const LV2_Atom_Object *object = (const LV2_Atom_Object *)&event->body;
        const LV2_Atom *property = NULL, *value = NULL;
        lv2_atom_object_get(
            object, urid(instance, LV2_PATCH__property), &property, urid(instance, LV2_PATCH__value), &value, 0);
        if (object->body.otype == urid(instance, LV2_PATCH__Get)) instance->isAsked = 1;
        if (object->body.otype != urid(instance, LV2_PATCH__Set) || !property || !value) continue;
        instance->has.messages += 1;
        set(instance, ((const LV2_Atom_URID *)property)->body, value);
    }
}

// After a request, sends twice the amount in each run, and an unrelated message.
static void tell(Instance *instance) {
    LV2_Atom_Forge *forge = &instance->forge;
    LV2_Atom_Forge_Frame sequence, object;
    uint32_t room = instance->notify->atom.size;
    instance->has.room = (float)room;
    lv2_atom_forge_set_buffer(forge, (uint8_t *)instance->notify, room);
    lv2_atom_forge_sequence_head(forge, &sequence, 0);
    for (int k = 0; instance->isAsked && k < 2; k += 1) {
        lv2_atom_forge_frame_time(forge, 0);
        lv2_atom_forge_object(forge, &object, 0, urid(instance, LV2_PATCH__Set));
        lv2_atom_forge_key(forge, urid(instance, LV2_PATCH__property));
        lv2_atom_forge_urid(forge, urid(instance, k ? OWN "told" : OWN "other"));
        lv2_atom_forge_key(forge, urid(instance, LV2_PATCH__value));
        lv2_atom_forge_double(forge, 2 * (double)instance->has.amount);
        lv2_atom_forge_pop(forge, &object);
    }
    lv2_atom_forge_pop(forge, &sequence);
}

static void run(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    __atomic_store_n(&instance->isRunning, 1, __ATOMIC_SEQ_CST);
    receive(instance);
    tell(instance);
    memset(instance->out, 0, count * sizeof(float));
    instance->out[0] = *instance->level;
    memcpy(instance->out + 1, &instance->has, sizeof instance->has);
    for (uint32_t k = 0; k < count; k += 1) instance->one[k] = 1;
    __atomic_store_n(&instance->isRunning, 0, __ATOMIC_SEQ_CST);
}

static void *pathFeature(const LV2_Feature *const *features) {
    for (; *features; features += 1)
        if (!strcmp((*features)->URI, LV2_STATE__mapPath)) return (*features)->data;
    return NULL;
}

static LV2_State_Status save(
    LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle state, uint32_t flags,
    const LV2_Feature *const *features) {
    Instance *instance = handle;
    uint32_t portable = LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE;
    (void)flags;
    store(state, urid(instance, OWN "amount"), &instance->has.amount, 4, instance->forge.Float, portable);
    store(state, urid(instance, OWN "word"), instance->word, strlen(instance->word) + 1, instance->forge.String, portable);
    LV2_State_Map_Path *map = pathFeature(features);
    const char *keys[] = {OWN "file", OWN "made"};
    const char *paths[] = {instance->file, instance->made};
    for (int k = 0; map && k < 2; k += 1) {
        char *path = map->abstract_path(map->handle, paths[k]);
        store(state, urid(instance, keys[k]), path, strlen(path) + 1, instance->forge.Path, portable);
        free(path);
    }
    return LV2_STATE_SUCCESS;
}

static LV2_State_Status restore(
    LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle state, uint32_t flags,
    const LV2_Feature *const *features) {
    Instance *instance = handle;
    size_t size;
    uint32_t type;
    // Takes long enough to overlap a run.
    for (int k = 0; k < 2000; k += 1) {
        if (__atomic_load_n(&instance->isRunning, __ATOMIC_SEQ_CST)) instance->has.overlaps += 1;
        for (volatile int wait = 0; wait < 1000; wait += 1) {}
    }
    const float *amount = retrieve(state, urid(instance, OWN "amount"), &size, &type, &flags);
    if (amount && type == instance->forge.Float) instance->has.amount = *amount;
    const char *word = retrieve(state, urid(instance, OWN "word"), &size, &type, &flags);
    if (word) setWord(instance, word);
    const char *file = retrieve(state, urid(instance, OWN "file"), &size, &type, &flags);
    LV2_State_Map_Path *map = pathFeature(features);
    if (file && map) {
        char *path = map->absolute_path(map->handle, file);
        setFile(instance, path);
        free(path);
    }
    return LV2_STATE_SUCCESS;
}

static const void *data(const char *uri) {
    static const LV2_State_Interface state = {save, restore};
    return strcmp(uri, LV2_STATE__interface) ? NULL : &state;
}

static const LV2_Descriptor descriptors[] = {
    {"urn:stompline-test:property", make, connectPort, NULL, run, NULL, free, data},
    {"urn:stompline-test:property-safe", make, connectPort, NULL, run, NULL, free, data},
};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    return index < 2 ? &descriptors[index] : NULL;
}
