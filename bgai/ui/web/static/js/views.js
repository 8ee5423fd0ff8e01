// The views of the page, in the order of the navigation. A module js/views/NAME.js exports
// mount(root, params), which may be async and fills the element `root` (id NAME, class "view"),
// and unmount(), which ends what it began; params are {path, query} of the address. With
// update(params) too, a step within the view calls that instead. `app.status` is the server's.

export const app = { status: null };

export const VIEWS = [
  { name: "play", title: "Play", load: () => import("./views/play.js") },
  { name: "analyse", title: "Analyse", load: () => import("./views/analyse.js") },
  { name: "settings", title: "Settings", load: () => import("./views/settings.js") },
];
