// A certificate for 127.0.0.1 that nobody trusts, and its key, which guards nothing. It may expire.
import { createPrivateKey } from "node:crypto";

const certificate =
  "MIIBjjCCATSgAwIBAgIUUHhOWm9rYUBQ2JbJuXPnyZ82YcEwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTI2" +
  "MTIwNzExMjMxMloXDTI2MTIwODExMjMxMlowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE" +
  "07ZQBLpznK33YvfgL285PJ26RgcU9enqIuttH5dwzvsVpFdMC6dhMywFj/M0oJkehZoThnJf7DEcuB5Iq/w/caNkMGIwHQYDVR0O" +
  "BBYEFN0IuZYM6Du4fHeEZkTVf0/vKlyrMB8GA1UdIwQYMBaAFN0IuZYM6Du4fHeEZkTVf0/vKlyrMA8GA1UdEwEB/wQFMAMBAf8w" +
  "DwYDVR0RBAgwBocEfwAAATAKBggqhkjOPQQDAgNIADBFAiBCToP+e4wUH/PBD1NCk6AQ7jD+v1JQ3Z+RuBRwD7LOyQIhAOixwgQC" +
  "aIdW2Gr51I0qzeO6u5WUB995T/zoxvWgjr/n";

const privateKey =
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbtD5wPJtOqlkU6Es+whzwN3oY7fMDJLipyceD+EYBpGhRANCAATT" +
  "tlAEunOcrfdi9+Avbzk8nbpGBxT16eoi620fl3DO+xWkV0wLp2EzLAWP8zSgmR6FmhOGcl/sMRy4Hkir/D9x";

export const untrusted = {
  cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  key: createPrivateKey({
    key: Buffer.from(privateKey, "base64"),
    format: "der",
    type: "pkcs8",
  }).export({ format: "pem", type: "pkcs8" }),
};
