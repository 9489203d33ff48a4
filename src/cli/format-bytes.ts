// An amount of bytes for people, in the units that downloads and disks are told in.

const units = ["kB", "MB", "GB", "TB"] as const;

/** "512 B", "1.5 kB", "118 MB": three digits, decimal units. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  let amount = bytes;
  let unit: string = "B";
  for (const next of units) {
    // Rounding may reach the next unit: 999,950 is "1.0 MB", not "1000 kB".
    if (Math.round(amount) < 1000) break;
    amount /= 1000;
    unit = next;
  }
  return `${amount.toFixed(amount < 9.95 ? 1 : 0)} ${unit}`;
}
