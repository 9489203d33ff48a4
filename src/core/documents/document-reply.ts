// What reading a document answers, in the form that tools show.
import type { JsonValue, MediaType } from "../plugin-api.js";

export interface DocumentRequest {
  path: string;
  /** Counted from 1. */
  start_line?: number;
  /** Inclusive. */
  end_line?: number;
}

export interface DocumentReply {
  path: string;
  title: string;
  media_type: MediaType;
  /** Bytes of the file. */
  size_bytes: number;
  /** Lines of the text that can be read. */
  total_lines: number;
  /** The lines returned, when fewer than all were asked for. */
  start_line?: number;
  end_line?: number;
  /** True if text is missing at the end because of the read cap; the whole text then ends with a notice. */
  truncated: boolean;
  metadata: { [key: string]: JsonValue };
  text: string;
  notes: string[];
}

export interface TopicsReply {
  documents: number;
  categories: { category: string; documents: number }[];
  /** Counts include the topics below; `uri` is present if the group can be read as a resource. */
  topics: { topic: string; documents: number; uri?: string }[];
  notes: string[];
}

/** A topic group as resources/list shows it. */
export interface TopicResource {
  uri: string;
  topic: string;
  documents: number;
}

/** What resources/read answers. */
export interface ResourceContent {
  uri: string;
  mimeType: MediaType;
  text: string;
}

/** What changed among the resources. */
export interface ResourceChange {
  /** Canonical URIs of documents and topics that a reader would now find different, or gone. */
  readonly updated: ReadonlySet<string>;
  /** Whether topic groups came or went. */
  readonly listChanged: boolean;
}

/** The newest of the documents asked for, and how many there are in all. */
export interface RecentDocuments {
  /** `changed`: the day of the file's last change on this machine, YYYY-MM-DD. */
  documents: { path: string; title: string; changed: string }[];
  total: number;
}

export interface BestPracticeRequest {
  target: string;
  /** The heading of a section of level 2. */
  category?: string;
}

export interface BestPracticeReply {
  target: string;
  path: string;
  title: string;
  media_type: MediaType;
  /** The section returned, as the document spells it; absent for the whole document. */
  category?: string;
  /** Every section of level 2. */
  categories: string[];
  /** Lines of the section in the document, where lines mean something. */
  start_line?: number;
  end_line?: number;
  truncated: boolean;
  notes: string[];
  text: string;
}
