// What `kb-mcp status` says of the index. Opens no store: it reads what the last run wrote beside the index.
import { mayBeShown } from "../errors.js";
import type { StatusReply } from "../index.js";
import { currentIdentity, type IdentityDependencies } from "./current-identity.js";
import { identityDifferences } from "./index-identity.js";
import { readOverview } from "./index-overview.js";
import { writerLeaseHolder } from "./writer-lease.js";

export interface StatusDependencies extends IdentityDependencies {
  readonly root: { readonly path: string };
  readonly indexDirectory: string;
  /** Where the store keeps the index, if not in `indexDirectory`. */
  readonly storeLocation?: string;
  readonly ephemeral?: boolean;
  /** Whether an index that lives in this process only was filled. */
  readonly isFilled: () => boolean;
}

export async function readStatus(dependencies: StatusDependencies): Promise<Omit<StatusReply, "paths">> {
  const { root, indexDirectory, storeLocation, ephemeral = false, isFilled } = dependencies;
  const overview = isFilled() ? await readOverview(indexDirectory) : undefined;
  const about = {
    kb_path: root.path,
    indexed: overview !== undefined,
    ...(overview !== undefined && { overview }),
  };
  if (ephemeral) return { ...about, ephemeral };
  const holder = await writerLeaseHolder(indexDirectory);
  return {
    ...about,
    index_directory: indexDirectory,
    ...(storeLocation !== undefined && { store_location: storeLocation }),
    ...(overview !== undefined && (await fit(dependencies, overview))),
    ...(holder !== undefined && {
      writer: {
        pid: holder.pid,
        host: holder.host,
        running_seconds: Math.max(0, Math.round((Date.now() - holder.startedAt) / 1000)),
      },
    }),
  };
}

/** Whether the index fits the configuration, as far as that can be told. */
async function fit(
  dependencies: IdentityDependencies,
  { embedder, model, built_with = { embedder, model } }: NonNullable<StatusReply["overview"]>,
): Promise<Pick<StatusReply, "changed" | "embedder_failure">> {
  const { identity, failure } = await currentIdentity(dependencies, built_with);
  // What was not noted of an index cannot be compared.
  const noted = Object.entries(identity).filter(([key]) => key in built_with);
  const { changes } = identityDifferences(built_with, Object.fromEntries(noted));
  return {
    ...(changes.length > 0 && { changed: [...changes] }),
    ...(failure !== undefined && {
      embedder_failure: {
        code: failure.code,
        message: mayBeShown(failure) ? failure.message : "The embedder cannot be made",
        hint: failure.hint,
      },
    }),
  };
}
