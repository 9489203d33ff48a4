// The list of plugins, for people: those in use first.
import type { PluginListing, PluginsReply } from "../core/plugins/list-plugins.js";
import { printable } from "../core/text/printable.js";
import { columnsOf, padded } from "./columns.js";

/** A table of what is in use and one of what else there is, then what cannot be used and why. */
export function formatPlugins({ plugins, refused, problems: others }: PluginsReply): string {
  const rows = plugins.map((plugin) => ({ plugin, cells: cellsOf(plugin).map(printable) }));
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map(({ cells }) => columnsOf(cells[column] ?? ""))),
  );
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((cell, column) => padded(cell, widths[column] ?? 0)).join("  ")}`.trimEnd();
  const table = (title: string, active: boolean): string[] => {
    const lines = rows.filter(({ plugin }) => plugin.active === active).map(({ cells }) => line(cells));
    return lines.length === 0 ? [] : [title, ...lines, ""];
  };
  const problems = [
    ...plugins.flatMap(({ kind, id, refused: why }) =>
      why === undefined ? [] : [{ ...why, what: `${kind} ${id}` }],
    ),
    ...refused.map((why) => ({ ...why, what: why.named })),
    ...others.map((why) => ({ ...why, what: undefined })),
  ].flatMap(({ what, message, hint, code }) => [
    `  ${what === undefined ? "" : `${what}: `}${message}${code === undefined ? "" : ` [${code}]`}`,
    ...(hint === undefined ? [] : [`    ${hint}`]),
  ]);
  const lines = [
    ...table("In use", true),
    ...table("Also there", false),
    ...(problems.length === 0 ? [] : ["Cannot be used", ...problems.map(printable), ""]),
  ];
  return lines.join("\n");
}

function cellsOf(plugin: PluginListing): string[] {
  const { kind, id, extensions, media_type, version, named } = plugin;
  const from = named === undefined ? "comes with kb-mcp" : `${plugin.package} ${version}, from ${named}`;
  const reads =
    extensions === undefined ? "" : `${extensions.map((each) => `.${each}`).join(" ")} as ${media_type}`;
  return [kind, id, from, reads];
}
