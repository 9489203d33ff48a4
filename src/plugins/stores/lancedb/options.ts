// The plugin's options in kb-mcp.toml. Written by hand: a schema library would cost more than it checks.
import type { OptionsSchema } from "../../../core/plugin-api.js";

export interface LanceDbOptions {
  /** A folder, or an object-store URI such as s3://bucket/kb. Default: a folder in the plugin's data directory. */
  readonly uri?: string;
}

/** Refuses unknown keys, so that a misspelt option is not silently without effect. */
export const optionsSchema: OptionsSchema<LanceDbOptions> = {
  "~standard": {
    version: 1,
    vendor: "kb-mcp",
    validate(value) {
      if (typeof value !== "object" || value === null || Array.isArray(value))
        return { issues: [{ message: "must be a table of options" }] };
      const unknown = Object.keys(value).filter((key) => key !== "uri");
      if (unknown.length > 0)
        return {
          issues: unknown.map((key) => ({ message: 'unknown option; there is only "uri"', path: [key] })),
        };
      const uri: unknown = "uri" in value ? value.uri : undefined;
      if (uri === undefined) return { value: {} };
      if (typeof uri !== "string" || uri.trim() === "")
        return { issues: [{ message: "must be a folder or a URI, as text", path: ["uri"] }] };
      return { value: { uri } };
    },
  },
};
