/** Giving somebody a link: by the clipboard, or by hand where there is none. */
import { toast } from "../app.js";
import { t } from "../i18n.js";

/** @param {string} path */
export async function copyLink(path) {
  const url = `${location.origin}${path}`;
  try {
    await navigator.clipboard.writeText(url); // absent on plain http from another device
    toast(t("waiting.copied"));
  } catch {
    prompt(t("waiting.copy_by_hand"), url);
  }
}
