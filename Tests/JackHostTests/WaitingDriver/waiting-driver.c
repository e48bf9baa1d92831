/* A driver for PipeWire that waits for all its clients in every cycle, as JACK's dummy driver does
 * with `jackd -S`: a late client makes the graph late, and loses no cycle.
 *
 * PipeWire's own drivers begin each cycle by the clock, whether or not the last one is finished. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/timerfd.h>

#include <spa/node/io.h>
#include <spa/node/keys.h>
#include <spa/node/node.h>
#include <spa/node/utils.h>
#include <spa/support/loop.h>
#include <spa/support/plugin.h>
#include <spa/support/system.h>
#include <spa/utils/result.h>
#include <spa/utils/string.h>

/* The longest time in ns that a cycle waits for its clients, as with `jackd -t 100`. PipeWire does
 * not finish a cycle in which a client was removed. */
#define LONGEST_WAIT (100 * SPA_NSEC_PER_MSEC)

struct driver {
    struct spa_handle handle;
    struct spa_node node;
    struct spa_node_info info;
    struct spa_hook_list hooks;
    struct spa_callbacks callbacks;
    struct spa_loop *loop;
    struct spa_system *system;
    struct spa_source timer;
    /* PipeWire sets these before it starts the node. */
    struct spa_io_position *position;
    struct spa_io_clock *clock;

    /* Only the data loop uses the rest. */
    bool is_waiting;
    /* Whether the next call of `process` ends a cycle that was given up. */
    bool is_given_up;
    /* When the next cycle should begin, in ns of the monotonic clock. */
    uint64_t next;
};

static uint64_t now(struct driver *driver)
{
    struct timespec time;
    spa_system_clock_gettime(driver->system, CLOCK_MONOTONIC, &time);
    return SPA_TIMESPEC_TO_NSEC(&time);
}

/* Sets the time of the next call of `on_time`; 0 for none. */
static void set_timer(struct driver *driver, uint64_t time)
{
    struct itimerspec when = {.it_value = {.tv_sec = time / SPA_NSEC_PER_SEC,
                                           .tv_nsec = time % SPA_NSEC_PER_SEC}};
    spa_system_timerfd_settime(driver->system, driver->timer.fd, SPA_FD_TIMER_ABSTIME, &when, NULL);
}

/* Begins a cycle. */
static void on_time(struct spa_source *source)
{
    struct driver *driver = source->data;
    uint64_t expirations;
    if (spa_system_timerfd_read(driver->system, source->fd, &expirations) < 0)
        return;
    if (driver->position == NULL || driver->clock == NULL)
        return;

    uint64_t time = now(driver);
    uint64_t frames = driver->position->clock.duration;
    uint64_t period = frames * SPA_NSEC_PER_SEC / driver->position->clock.rate.denom;
    /* Small delays are made up for in the next cycle, and longer ones are not. */
    driver->next = SPA_MAX(driver->next + period, time);
    driver->clock->nsec = time;
    driver->clock->next_nsec = driver->next;
    driver->clock->position += frames;
    driver->clock->duration = frames;
    driver->clock->delay = 0;
    driver->clock->rate_diff = 1.0;

    driver->is_given_up = driver->is_waiting;
    driver->is_waiting = true;
    set_timer(driver, time + LONGEST_WAIT);
    spa_node_call_ready(&driver->callbacks, SPA_STATUS_HAVE_DATA | SPA_STATUS_NEED_DATA);
    driver->is_given_up = false;
}

/* Ends a cycle: PipeWire calls this when all clients have finished it. */
static int process(void *object)
{
    struct driver *driver = object;
    if (driver->is_given_up) {
        driver->is_given_up = false;
    } else if (driver->is_waiting) {
        driver->is_waiting = false;
        set_timer(driver, SPA_MAX(driver->next, now(driver)));
    }
    return SPA_STATUS_HAVE_DATA | SPA_STATUS_NEED_DATA;
}

static int restart(struct spa_loop *loop, bool async, uint32_t seq, const void *data, size_t size, void *object)
{
    struct driver *driver = object;
    driver->is_waiting = false;
    driver->next = now(driver);
    set_timer(driver, *(const bool *)data ? driver->next : 0);
    return 0;
}

static int send_command(void *object, const struct spa_command *command)
{
    struct driver *driver = object;
    bool starts = SPA_NODE_COMMAND_ID(command) == SPA_NODE_COMMAND_Start;
    return spa_loop_invoke(driver->loop, restart, 0, &starts, sizeof(starts), true, driver);
}

static int set_io(void *object, uint32_t id, void *data, size_t size)
{
    struct driver *driver = object;
    switch (id) {
    case SPA_IO_Clock:
        driver->clock = data;
        if (driver->clock != NULL)
            spa_scnprintf(driver->clock->name, sizeof(driver->clock->name), "clock.system.monotonic");
        return 0;
    case SPA_IO_Position:
        driver->position = data;
        return 0;
    default:
        return -ENOENT;
    }
}

static int add_listener(void *object, struct spa_hook *listener, const struct spa_node_events *events, void *data)
{
    static const struct spa_dict_item items[] = {{SPA_KEY_NODE_DRIVER, "true"}};
    struct driver *driver = object;
    struct spa_hook_list others;
    spa_hook_list_isolate(&driver->hooks, &others, listener, events, data);
    driver->info.change_mask = SPA_NODE_CHANGE_MASK_FLAGS | SPA_NODE_CHANGE_MASK_PROPS;
    driver->info.props = &SPA_DICT_INIT_ARRAY(items);
    spa_node_emit_info(&driver->hooks, &driver->info);
    spa_hook_list_join(&driver->hooks, &others);
    return 0;
}

static int set_callbacks(void *object, const struct spa_node_callbacks *callbacks, void *data)
{
    struct driver *driver = object;
    driver->callbacks = SPA_CALLBACKS_INIT(callbacks, data);
    return 0;
}

static const struct spa_node_methods methods = {
    SPA_VERSION_NODE_METHODS,
    .add_listener = add_listener,
    .set_callbacks = set_callbacks,
    .set_io = set_io,
    .send_command = send_command,
    .process = process,
};

static int get_interface(struct spa_handle *handle, const char *type, void **interface)
{
    if (!spa_streq(type, SPA_TYPE_INTERFACE_Node))
        return -ENOENT;
    *interface = &((struct driver *)handle)->node;
    return 0;
}

static int remove_timer(struct spa_loop *loop, bool async, uint32_t seq, const void *data, size_t size, void *object)
{
    return spa_loop_remove_source(loop, &((struct driver *)object)->timer);
}

static int clear(struct spa_handle *handle)
{
    struct driver *driver = (struct driver *)handle;
    spa_loop_invoke(driver->loop, remove_timer, 0, NULL, 0, true, driver);
    return spa_system_close(driver->system, driver->timer.fd);
}

static size_t get_size(const struct spa_handle_factory *factory, const struct spa_dict *params)
{
    return sizeof(struct driver);
}

static int init(const struct spa_handle_factory *factory, struct spa_handle *handle, const struct spa_dict *info,
                const struct spa_support *support, uint32_t n_support)
{
    struct driver *driver = (struct driver *)handle;
    memset(driver, 0, sizeof(*driver));
    handle->version = SPA_VERSION_HANDLE;
    handle->get_interface = get_interface;
    handle->clear = clear;
    driver->loop = spa_support_find(support, n_support, SPA_TYPE_INTERFACE_DataLoop);
    driver->system = spa_support_find(support, n_support, SPA_TYPE_INTERFACE_DataSystem);
    if (driver->loop == NULL || driver->system == NULL)
        return -EINVAL;
    spa_hook_list_init(&driver->hooks);
    driver->node.iface = SPA_INTERFACE_INIT(SPA_TYPE_INTERFACE_Node, SPA_VERSION_NODE, &methods, driver);
    driver->info = SPA_NODE_INFO_INIT();
    driver->info.flags = SPA_NODE_FLAG_RT;
    driver->timer.func = on_time;
    driver->timer.data = driver;
    driver->timer.mask = SPA_IO_IN;
    driver->timer.fd =
        spa_system_timerfd_create(driver->system, CLOCK_MONOTONIC, SPA_FD_CLOEXEC | SPA_FD_NONBLOCK);
    if (driver->timer.fd < 0)
        return driver->timer.fd;
    return spa_loop_add_source(driver->loop, &driver->timer);
}

static int enumerate_interfaces(const struct spa_handle_factory *factory, const struct spa_interface_info **info,
                                uint32_t *index)
{
    static const struct spa_interface_info interface = {SPA_TYPE_INTERFACE_Node};
    if (*index > 0)
        return 0;
    *info = &interface;
    return (int)++*index;
}

static const struct spa_handle_factory driver_factory = {
    SPA_VERSION_HANDLE_FACTORY, "test.waiting-driver", NULL, get_size, init, enumerate_interfaces,
};

int spa_handle_factory_enum(const struct spa_handle_factory **factory, uint32_t *index)
{
    if (*index > 0)
        return 0;
    *factory = &driver_factory;
    return (int)++*index;
}
