/** Joining a table by its code, as people type it. */
import { ensurePlayer } from "../app.js";
import { errorText } from "../i18n.js";
import { api, ApiError } from "../net/api.js";
import { go } from "../router.js";

/** @param {string} text @returns {string} */
export const cleanCode = (text) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");

/** Partners are found by a code as tables are, and people type it into the same box. @param {string} code */
async function isParty(code) {
  try {
    await ensurePlayer();
    await api.get(`/api/parties/${code}`);
    return true;
  } catch {
    return false;
  }
}

/** Go to a table by its code, if there is such a table; or to a partner. @param {string} text */
export async function joinByCode(text) {
  const wanted = cleanCode(text);
  try {
    await api.get(`/api/tables/${encodeURIComponent(wanted || "-")}`);
    await go(`/t/${wanted}`);
    return "";
  } catch (error) {
    const code = error instanceof ApiError ? error.code : "unknown";
    if (code === "table_not_found" && wanted.length === 6 && (await isParty(wanted))) {
      await go(`/party/${wanted}`);
      return "";
    }
    return errorText(code);
  }
}
