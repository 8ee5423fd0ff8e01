// The API described from its own OpenAPI document, each route with a form to try it.

import { $, h, replace } from "./dom.js";

const ID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10";
const BODIES = {
  "/api/position": { id: ID },
  "/api/plays": { id: ID, dice: "31" },
  "/api/evaluate": { ids: [ID], plies: 0 },
  "/api/best": { id: ID, dice: "31", engine: "best", count: 3 },
  "/api/cube": { id: ID, plies: 1 },
  "/api/rollouts": { id: ID, dice: "31", plays: 2, trials: 144 },
  "/api/games": { terms: { length: 5 }, level: "best" },
  "/api/games/{game}/acts": { act: "roll" },
};

const plain = (text) => text.replaceAll("`", "");
const name = (schema) => schema.$ref?.split("/").at(-1);

function typeOf(schema) {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`;
  const bounds = [];
  if (schema.minimum !== undefined) bounds.push(`from ${schema.minimum}`);
  if (schema.maximum !== undefined) bounds.push(`to ${schema.maximum}`);
  return [name(schema) ?? schema.type ?? "any", ...bounds].join(" ");
}

function fieldsOf(schema, schemas) {
  const shape = schemas[name(schema)] ?? schema;
  const required = shape.required ?? [];
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ["Field", "Type", "Default"].map((text) => h("th", { scope: "col" }, text)))),
    Object.entries(shape.properties ?? {}).map(([field, value]) =>
      h(
        "tr",
        {},
        h("td", {}, h("code", {}, field)),
        h("td", {}, typeOf(value), value.description ? h("small", {}, ` ${value.description}`) : null),
        h("td", {}, required.includes(field) ? "required" : JSON.stringify(value.default ?? null)),
      ),
    ),
  );
}

function route(path, method, operation, schemas) {
  const schema = operation.requestBody?.content?.["application/json"]?.schema;
  const address = h("input", { type: "text", value: path, "aria-label": "Path" });
  const body = schema ? h("textarea", { "aria-label": "Body", value: JSON.stringify(BODIES[path] ?? {}, null, 1) }) : null;
  const output = h("pre", { hidden: true, tabindex: "0" });
  const send = async () => {
    const options = { method: method.toUpperCase() };
    if (body) Object.assign(options, { body: body.value, headers: { "content-type": "application/json" } });
    output.hidden = false;
    try {
      const response = await fetch(address.value, options);
      const text = await response.text();
      const pretty = response.headers.get("content-type")?.includes("json") ? JSON.stringify(JSON.parse(text), null, 1) : text;
      output.textContent = `${response.status}\n${pretty.slice(0, 20000)}`;
    } catch (error) {
      output.textContent = error.message;
    }
  };
  const query = (operation.parameters ?? []).filter((each) => each.in === "query");
  return h(
    "details",
    {},
    h("summary", {}, h("span", { class: "method" }, method.toUpperCase()), h("code", {}, path), h("span", { class: "quiet" }, plain(operation.description ?? operation.summary))),
    query.length ? h("p", {}, "Query: ", query.map((each) => `${each.name} (${typeOf(each.schema)})`).join(", ")) : null,
    schema ? fieldsOf(schema, schemas) : null,
    h("div", { class: "row id-form" }, address, h("button", { type: "button", onclick: send }, "Try")),
    body,
    output,
  );
}

const description = await (await fetch("api/openapi.json")).json();
const schemas = description.components?.schemas ?? {};
replace(
  $("#api"),
  h("h1", {}, `${description.info.title} ${description.info.version}: HTTP API`),
  h("p", {}, plain(description.info.description)),
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => route(path, method, operation, schemas)),
  ),
);
