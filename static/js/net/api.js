/** REST calls. An error is an `ApiError` with the server's stable code; texts are the catalogue's. */

export class ApiError extends Error {
  /** @param {string} code @param {number} status 0 when nobody answered @param {any} [detail] */
  constructor(code, status, detail) {
    super(code);
    this.code = code;
    this.status = status;
    this.detail = detail;
  }
}

/** @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<any>} */
async function call(method, path, body) {
  /** @type {RequestInit} */
  const init = { method, headers: { Accept: "application/json" }, credentials: "same-origin" };
  if (method !== "GET") {
    init.headers = { ...init.headers, "Content-Type": "application/json" };
    init.body = JSON.stringify(body ?? {});
  }
  let response;
  let answer;
  try {
    response = await fetch(path, init);
    const type = response.headers.get("Content-Type") ?? "";
    answer = type.includes("json") && !type.includes("ndjson")
      ? await response.json()
      : await response.text();
  } catch {
    throw new ApiError("offline", 0); // nobody answered, or not to the end
  }
  if (response.ok) return answer;
  throw new ApiError(answer?.error?.code ?? "unknown", response.status, answer?.error);
}

export const api = {
  /** @param {string} path */
  get: (path) => call("GET", path),
  /** @param {string} path @param {unknown} [body] */
  post: (path, body) => call("POST", path, body),
  /** @param {string} path @param {unknown} body */
  patch: (path, body) => call("PATCH", path, body),
  /** @param {string} path */
  del: (path) => call("DELETE", path),
};
