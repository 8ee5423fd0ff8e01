// Addresses of the page: #/VIEW/PART/…?name=value. Each step is one of the browser's history.

// {name, path: [parts after the name], query: {name: value}} of a hash; the name "" for none.
export function parse(hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?");
  const [name, ...parts] = path.split("/").map(decoded);
  return { name, path: parts.filter(Boolean), query: Object.fromEntries(new URLSearchParams(query ?? "")) };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// The hash of a view: address("matches", ["7"], {decision: 3}).
export function address(name, path = [], query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const asked = given.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
  return `#/${[name, ...path].map(encodeURIComponent).join("/")}${asked ? `?${asked}` : ""}`;
}

// Goes to a view, as a step that Back takes back.
export function go(name, path, query) {
  location.hash = address(name, path, query);
}

// Puts what is shown into the address without a step and without showing it again.
export function relink(name, path, query) {
  const wanted = address(name, path, query);
  if (location.hash !== wanted) history.replaceState(null, "", wanted);
}
