// Starts a sandboxed child with as few descriptors as the caller allows.
//
// Ends with 0 if the child's output arrived, 1 if the child did not start, and 2 otherwise.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ChildProcess.h"

int main(void) {
    const char *words[] = {"echo", "heard", NULL};
    const struct linux_child_permissions permissions = {
        .file = "/etc/hostname", .mayUseNetwork = false};
    int output[2];
    if (pipe2(output, O_CLOEXEC) != 0) return 1;
    const int descriptors[linux_child_descriptor_count] = {-1, output[1], -1, -1};
    const char *variables[] = {NULL};
    const pid_t child = linux_child_start(words[0], words, variables, descriptors, SIGKILL, &permissions);
    if (child <= 0) return 1;
    close(output[1]);
    char text[16] = "";
    const ssize_t count = read(output[0], text, sizeof text - 1);
    waitpid(child, NULL, 0);
    return count == 6 && strcmp(text, "heard\n") == 0 ? 0 : 2;
}
