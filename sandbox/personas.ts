/** The identity provider's test users. A person or a test selects one by its key. */
export interface Persona {
  label: string;
  /** Userinfo and id_token claims, named as Google does. */
  claims: {
    sub: string;
    email: string;
    email_verified: boolean;
    name?: string;
    given_name?: string;
    family_name?: string;
    picture?: string;
  };
}

const SELLER = {
  name: "Vendedor de Demonstração",
  given_name: "Vendedor",
  family_name: "de Demonstração",
  picture: "https://exemplo.com.br/vendedor.png",
};

export const PERSONAS: Record<string, Persona> = {
  vendedor: {
    label: "Vendedor de demonstração (vendedor@exemplo.com.br)",
    claims: { sub: "google-vendedor", email: "vendedor@exemplo.com.br", email_verified: true, ...SELLER },
  },
  nova: {
    label: "Conta nova (nova@exemplo.com.br)",
    claims: {
      sub: "google-nova",
      email: "nova@exemplo.com.br",
      email_verified: true,
      name: "Nova Vendedora",
      given_name: "Nova",
      family_name: "Vendedora",
    },
  },
  "nao-verificado": {
    label: "E-mail não verificado (vendedor@exemplo.com.br)",
    claims: {
      sub: "google-nao-verificado",
      email: "vendedor@exemplo.com.br",
      email_verified: false,
      name: "Alguém Não Verificado",
    },
  },
  "sem-nome": {
    label: "Conta sem nome (sem-nome@exemplo.com.br)",
    claims: { sub: "google-sem-nome", email: "sem-nome@exemplo.com.br", email_verified: true },
  },
  "email-trocado": {
    label: "Vendedor com outro e-mail (vendedor.novo@exemplo.com.br)",
    claims: {
      sub: "google-vendedor",
      email: "vendedor.novo@exemplo.com.br",
      email_verified: true,
      ...SELLER,
    },
  },
};

/**
 * `POST /control/identity`: answer the next authorizations without a screen, as this persona or with a refusal. `persona:
 * null` and `deny: false` show the screen.
 */
export interface IdentitySettings {
  persona: string | null;
  deny: boolean;
}

export const IDENTITY_DEFAULTS: IdentitySettings = { persona: null, deny: false };

/** The persona for a `login_hint`: its key, or its e-mail. */
export function personaOfHint(hint: unknown): string | undefined {
  if (typeof hint !== "string") return undefined;
  if (Object.hasOwn(PERSONAS, hint)) return hint;
  return Object.keys(PERSONAS).find((key) => PERSONAS[key]?.claims.email === hint.toLowerCase());
}
