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
  /** Lines of the whole text. */
  total_lines: number;
  /** The lines returned, when fewer than all were asked for. */
  start_line?: number;
  end_line?: number;
  /** True if text is missing at the end because of the read cap; the text then ends with a notice. */
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
