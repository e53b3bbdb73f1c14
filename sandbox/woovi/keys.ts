import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from "node:crypto";

/** Woovi's own keys, for all accounts. */
export interface WooviKeys {
  /** Base64, of RSA with SHA-256 over the text. */
  sign(text: string): string;
  /** As `GET /api/v1/webhook/public-keys` lists them, the current one first. */
  list(): { key_identifier: string; is_current: boolean; key: string }[];
  /** A new current key. `forget`: the earlier ones are not listed any more. */
  rotate(forget: boolean): void;
  /** This private key (PEM) alone from now on. */
  use(pem: string): void;
}

interface Pair {
  id: string;
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/** The first key is made when it is first needed: that takes a while. */
export function createWooviKeys(): WooviKeys {
  let pairs: Pair[] = [];
  const make = (): Pair => ({ id: randomUUID(), ...generateKeyPairSync("rsa", { modulusLength: 2048 }) });

  function current(): Pair {
    if (!pairs[0]) pairs = [make()];
    return pairs[0]!;
  }

  return {
    sign: (text) => sign("RSA-SHA256", Buffer.from(text), current().privateKey).toString("base64"),
    list() {
      current();
      return pairs.map(({ id, publicKey }, at) => ({
        key_identifier: id,
        is_current: at === 0,
        key: publicKey.export({ type: "spki", format: "pem" }) as string,
      }));
    },
    rotate(forget) {
      pairs = [make(), ...(forget ? [] : pairs)];
    },
    use(pem) {
      const privateKey = createPrivateKey(pem);
      pairs = [{ id: randomUUID(), privateKey, publicKey: createPublicKey(pem) }];
    },
  };
}
