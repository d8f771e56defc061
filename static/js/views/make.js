/** The way to the dialog that makes a table: it is fetched when somebody first wants one. */
import { attempt, update } from "../app.js";
import { needStyles } from "../ui/styles.js";
import { nothing } from "../ui/html.js";

/** @type {typeof import("./create.js") | null} */
let dialog = null;

/** @param {string} [preset] */
export const openCreate = (preset) => attempt(async () => {
  [dialog] = await Promise.all([import("./create.js"), needStyles(["rules"])]);
  dialog.openCreate(preset);
  update();
});

export const createSheet = () => dialog?.createSheet() ?? nothing;
