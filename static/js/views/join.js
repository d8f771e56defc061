/** Joining a table by its code, as people type it. */
import { errorText } from "../i18n.js";
import { api, ApiError } from "../net/api.js";
import { go } from "../router.js";

/** @param {string} text @returns {string} */
export const cleanCode = (text) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");

/** Go to a table by its code, if there is such a table. @param {string} text */
export async function joinByCode(text) {
  const wanted = cleanCode(text);
  try {
    await api.get(`/api/tables/${encodeURIComponent(wanted || "-")}`);
    await go(`/t/${wanted}`);
    return "";
  } catch (error) {
    return errorText(error instanceof ApiError ? error.code : "unknown");
  }
}
