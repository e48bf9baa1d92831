#include "CPage.h"

// `#embed` is part of C23, and clang offers it for all versions of C. It notes each file as a
// dependency, so a changed file is included again.
#pragma clang diagnostic ignored "-Wc23-extensions"

// To add a file, include its bytes here, and add its path to `files`. PageAssetTests finds files
// that are not listed.

static const unsigned char access_js[] = {
#embed "Assets/access.js"
};

static const unsigned char app_js[] = {
#embed "Assets/app.js"
};

static const unsigned char app_webmanifest[] = {
#embed "Assets/app.webmanifest"
};

static const unsigned char base_css[] = {
#embed "Assets/base.css"
};

static const unsigned char board_css[] = {
#embed "Assets/board.css"
};

static const unsigned char board_js[] = {
#embed "Assets/board.js"
};

static const unsigned char boardedit_js[] = {
#embed "Assets/boardedit.js"
};

static const unsigned char cables_js[] = {
#embed "Assets/cables.js"
};

static const unsigned char connect_js[] = {
#embed "Assets/connect.js"
};

static const unsigned char connections_js[] = {
#embed "Assets/connections.js"
};

static const unsigned char control_js[] = {
#embed "Assets/control.js"
};

static const unsigned char dialogs_js[] = {
#embed "Assets/dialogs.js"
};

static const unsigned char dom_js[] = {
#embed "Assets/dom.js"
};

static const unsigned char drag_js[] = {
#embed "Assets/drag.js"
};

static const unsigned char drawing_js[] = {
#embed "Assets/drawing.js"
};

static const unsigned char editing_css[] = {
#embed "Assets/editing.css"
};

static const unsigned char editor_js[] = {
#embed "Assets/editor.js"
};


static const unsigned char files_js[] = {
#embed "Assets/files.js"
};

static const unsigned char gestures_js[] = {
#embed "Assets/gestures.js"
};

static const unsigned char icon_svg[] = {
#embed "Assets/icon.svg"
};

static const unsigned char index_html[] = {
#embed "Assets/index.html"
};

static const unsigned char keys_js[] = {
#embed "Assets/keys.js"
};

static const unsigned char levels_js[] = {
#embed "Assets/levels.js"
};

static const unsigned char link_js[] = {
#embed "Assets/link.js"
};

static const unsigned char mixer_css[] = {
#embed "Assets/mixer.css"
};

static const unsigned char mixer_js[] = {
#embed "Assets/mixer.js"
};

static const unsigned char nodemeters_js[] = {
#embed "Assets/nodemeters.js"
};

static const unsigned char nodesettings_js[] = {
#embed "Assets/nodesettings.js"
};
static const unsigned char nodetools_js[] = {
#embed "Assets/nodetools.js"
};

static const unsigned char pair_css[] = {
#embed "Assets/pair.css"
};

static const unsigned char pair_js[] = {
#embed "Assets/pair.js"
};

static const unsigned char palette_js[] = {
#embed "Assets/palette.js"
};

static const unsigned char panel_js[] = {
#embed "Assets/panel.js"
};

static const unsigned char parts_js[] = {
#embed "Assets/parts.js"
};

static const unsigned char picture_js[] = {
#embed "Assets/picture.js"
};

static const unsigned char playedfiles_js[] = {
#embed "Assets/playedfiles.js"
};

static const unsigned char preferences_js[] = {
#embed "Assets/preferences.js"
};

static const unsigned char press_js[] = {
#embed "Assets/press.js"
};

static const unsigned char problems_js[] = {
#embed "Assets/problems.js"
};

static const unsigned char response_js[] = {
#embed "Assets/response.js"
};

static const unsigned char rules_js[] = {
#embed "Assets/rules.js"
};

static const unsigned char setlist_js[] = {
#embed "Assets/setlist.js"
};

static const unsigned char setlistedit_js[] = {
#embed "Assets/setlistedit.js"
};

static const unsigned char settings_js[] = {
#embed "Assets/settings.js"
};

static const unsigned char sheet_js[] = {
#embed "Assets/sheet.js"
};

static const unsigned char slider_js[] = {
#embed "Assets/slider.js"
};

static const unsigned char songparts_js[] = {
#embed "Assets/songparts.js"
};

static const unsigned char stage_css[] = {
#embed "Assets/stage.css"
};

static const unsigned char stage_js[] = {
#embed "Assets/stage.js"
};

static const unsigned char taper_js[] = {
#embed "Assets/taper.js"
};

static const unsigned char tempo_js[] = {
#embed "Assets/tempo.js"
};

static const unsigned char texts_js[] = {
#embed "Assets/texts.js"
};

static const unsigned char tuner_js[] = {
#embed "Assets/tuner.js"
};

static const unsigned char units_js[] = {
#embed "Assets/units.js"
};

static const unsigned char viewport_js[] = {
#embed "Assets/viewport.js"
};

static const unsigned char wake_js[] = {
#embed "Assets/wake.js"
};

static const unsigned char wiring_js[] = {
#embed "Assets/wiring.js"
};

#define FILE_AT(path, bytes) { path, bytes, sizeof bytes }

static const struct PageFile files[] = {
    FILE_AT("access.js", access_js),
    FILE_AT("app.js", app_js),
    FILE_AT("app.webmanifest", app_webmanifest),
    FILE_AT("base.css", base_css),
    FILE_AT("board.css", board_css),
    FILE_AT("board.js", board_js),
    FILE_AT("boardedit.js", boardedit_js),
    FILE_AT("cables.js", cables_js),
    FILE_AT("connect.js", connect_js),
    FILE_AT("connections.js", connections_js),
    FILE_AT("control.js", control_js),
    FILE_AT("dialogs.js", dialogs_js),
    FILE_AT("dom.js", dom_js),
    FILE_AT("drag.js", drag_js),
    FILE_AT("drawing.js", drawing_js),
    FILE_AT("editing.css", editing_css),
    FILE_AT("editor.js", editor_js),
    FILE_AT("files.js", files_js),
    FILE_AT("gestures.js", gestures_js),
    FILE_AT("icon.svg", icon_svg),
    FILE_AT("index.html", index_html),
    FILE_AT("keys.js", keys_js),
    FILE_AT("levels.js", levels_js),
    FILE_AT("link.js", link_js),
    FILE_AT("mixer.css", mixer_css),
    FILE_AT("mixer.js", mixer_js),
    FILE_AT("nodemeters.js", nodemeters_js),
    FILE_AT("nodesettings.js", nodesettings_js),
    FILE_AT("nodetools.js", nodetools_js),
    FILE_AT("pair.css", pair_css),
    FILE_AT("pair.js", pair_js),
    FILE_AT("palette.js", palette_js),
    FILE_AT("panel.js", panel_js),
    FILE_AT("parts.js", parts_js),
    FILE_AT("picture.js", picture_js),
    FILE_AT("playedfiles.js", playedfiles_js),
    FILE_AT("preferences.js", preferences_js),
    FILE_AT("press.js", press_js),
    FILE_AT("problems.js", problems_js),
    FILE_AT("response.js", response_js),
    FILE_AT("rules.js", rules_js),
    FILE_AT("setlist.js", setlist_js),
    FILE_AT("setlistedit.js", setlistedit_js),
    FILE_AT("settings.js", settings_js),
    FILE_AT("sheet.js", sheet_js),
    FILE_AT("slider.js", slider_js),
    FILE_AT("songparts.js", songparts_js),
    FILE_AT("stage.css", stage_css),
    FILE_AT("stage.js", stage_js),
    FILE_AT("taper.js", taper_js),
    FILE_AT("tempo.js", tempo_js),
    FILE_AT("texts.js", texts_js),
    FILE_AT("tuner.js", tuner_js),
    FILE_AT("units.js", units_js),
    FILE_AT("viewport.js", viewport_js),
    FILE_AT("wake.js", wake_js),
    FILE_AT("wiring.js", wiring_js),
};

size_t page_file_count(void) { return sizeof files / sizeof *files; }

struct PageFile page_file(size_t index) { return files[index]; }
