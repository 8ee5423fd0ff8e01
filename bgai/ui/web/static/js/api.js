// The HTTP API. Refusals become ApiError with the server's message and field.

export class ApiError extends Error {
  constructor(status, message, field) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

async function call(method, path, body) {
  const options = { method, headers: {} };
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch {
    throw new ApiError(0, "The server does not answer. Is bgai serve still running?", null);
  }
  const data = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, data.error ?? `Error ${response.status}`, data.field);
  return data;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
export const del = (path) => call("DELETE", path);

export const status = () => get("status");
export const position = (id) => get(`position?id=${encodeURIComponent(id)}`);
export const svgLink = (id) => `/api/position.svg?id=${encodeURIComponent(id)}`;
