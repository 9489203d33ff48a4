// kb:// URIs of documents and topics. The only place that writes or reads one; it touches no disk and does not
// say whether what a URI names exists.
import { KbError } from "../errors.js";
import { parseDocumentPath, quotePath, type DocumentPath } from "./document-path.js";

/** What a URI names. A topic's prefix is "" for the root group. */
export type KbResource =
  | { readonly kind: "document"; readonly path: DocumentPath }
  | { readonly kind: "topic"; readonly prefix: string };

/** Scheme and authority are compared without case (RFC 3986, 3.1 and 3.2.2). */
const pattern = /^kb:\/\/(doc|topic)\/([^?#]*)$/i;

/** @throws KbError KB_READ_URI if the path holds a lone surrogate */
export function documentUri(path: string): string {
  return `kb://doc/${encodePath(path)}`;
}

/** @throws KbError KB_READ_URI if the prefix holds a lone surrogate */
export function topicUri(prefix: string): string {
  return `kb://topic/${encodePath(prefix)}`;
}

/**
 * Reads a URI. It is decoded once, then the path is checked, so `%2e%2e` is `..` and `%252e` is the text `%2e`.
 * Characters that should have been encoded are taken as they are, except `?` and `#`, which end a path.
 *
 * @throws KbError KB_READ_URI if it is malformed; KB_READ_PATH or KB_READ_OUTSIDE for what parseDocumentPath refuses
 */
export function parseKbUri(uri: string): KbResource {
  const [, authority, encoded] = pattern.exec(uri) ?? [];
  if (authority === undefined || encoded === undefined) {
    throw new KbError("KB_READ_URI", `${quotePath(uri)} is not a kb:// URI`);
  }
  const decoded = decode(encoded, uri);
  if (authority.toLowerCase() === "doc") return { kind: "document", path: parseDocumentPath(decoded) };
  return { kind: "topic", prefix: decoded === "" ? "" : parseDocumentPath(decoded) };
}

function decode(encoded: string, uri: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new KbError("KB_READ_URI", `${quotePath(uri)} has percent-encoding that is not valid UTF-8`);
  }
}

function encodePath(path: string): string {
  try {
    // encodeURIComponent leaves !'()* alone, which RFC 3986 does not count among the unreserved.
    return encodeURIComponent(path)
      .replaceAll("%2F", "/")
      .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  } catch {
    throw new KbError("KB_READ_URI", `${quotePath(path)} is not valid Unicode and has no URI`);
  }
}
