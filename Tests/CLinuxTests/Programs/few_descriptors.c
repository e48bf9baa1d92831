// Starts a sandboxed child with as few descriptors as the caller allows.
//
// Ends with 0 if the child's output arrived, 1 if the child did not start, and 2 otherwise.
#include <stdio.h>

#include "ChildProcess.h"

int main(void) {
    const char *words[] = {"echo", "heard", NULL};
    const struct linux_child_permissions permissions = {
        .file = "/etc/hostname", .mayUseNetwork = false};
    int output = -1;
    const pid_t child = linux_start_child(words, &permissions, &output, NULL);
    if (child <= 0) return 1;
    char text[16] = "";
    const ssize_t count = read(output, text, sizeof text - 1);
    linux_await_child(child);
    return count == 6 && strcmp(text, "heard\n") == 0 ? 0 : 2;
}
