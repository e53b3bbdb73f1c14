import { z } from "zod";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import type { SendingKind } from "#app/domain/delivery/destination.ts";
import { nameField, pastedField } from "#app/domain/delivery/destination-fields.server.ts";
import type { FormCard, FormField } from "#app/domain/delivery/form-card.ts";
import type { ListedKind } from "#app/domain/delivery/kind.ts";
import type { MemberSettings } from "#app/domain/delivery/member-area/settings.ts";
import { productsText } from "#app/domain/delivery/summary-text.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";

/** What a service contributes beside its settings. */
type MemberService = Pick<
  SendingKind,
  "service" | "render" | "partOf" | "keepOpened" | "openedBy" | "sentBody" | "buildRequest" | "judge"
> &
  Pick<ListedKind, "copies" | "test"> & {
    title: string;
    text: string;
    /** Its name for the key, where to find it, and what closing does there. */
    token: string;
    where: string;
    revokesText: string;
    /** Its own fields in the first card, around the key, and the card that says what opens what. */
    before?: FormField[];
    after?: FormField[];
    products: FormCard;
  };

/** The refusal of an area without its key. */
export const TOKEN_MISSING = { text: "Para conectar esta área, informe a chave dela.", field: "token" };

/** The fields of every member area's form. The token may be the mask that was shown, and then stays as it is. */
export const memberFields = {
  name: nameField("Dê um nome à área"),
  token: pastedField("Informe a chave", 500),
  revokes: z.boolean().default(false),
};

/**
 * What member areas share. A buyer who paid is waiting, so the first retries follow quickly. An area stores access by
 * e-mail, so a repeat changes nothing, and each attempt renders the current state: corrected classes, a corrected e-mail.
 * Unlike ads, access to a purchase needs no consent.
 */
export function memberAreaDefaults({ products, before = [], after = [], ...service }: MemberService) {
  return {
    ...service,
    id: service.service,
    family: "members",
    retryDelays: [
      ...[5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR],
      ...[3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR],
    ],
    // As long as deliveries are stored: opening a purchase late is better than never.
    maxAge: () => 30 * DAY,
    stopAfter: 3 * DAY,
    timeoutMs: 15 * SECOND,
    rendersEachAttempt: true,
    recordsWhileStopped: true,
    cards: [
      {
        type: "fields",
        title: "Conta",
        text: service.where,
        fields: [
          {
            ...{ type: "text", name: "name", label: "Nome", placeholder: "Ex.: escola principal" },
            ...{ maxLength: 60, isRequired: true, help: "Só você vê." },
          },
          ...before,
          {
            ...{ type: "secret", name: "token", label: service.token, briefly: "Token ou chave" },
            ...{ maxLength: 500, help: "Guardado com criptografia; depois de salvo, só aparece mascarado." },
          },
          ...after,
        ],
      },
      products,
      {
        type: "fields",
        title: "Quando o dinheiro volta",
        fields: [
          {
            type: "toggle",
            name: "revokes",
            label: "Encerrar o acesso em reembolso ou chargeback",
            briefly: "Encerrar o acesso quando o dinheiro volta",
            help: `${service.revokesText} Quando o e-mail de uma compra é corrigido, o acesso do e-mail anterior termina mesmo com isto desligado.`,
          },
        ],
      },
    ],
    summary: ({ events, productIds }) => [
      productIds?.length === 0 ? "Nenhum produto ligado" : productsText(productIds),
      ...(closes(events) ? ["encerra em reembolso"] : []),
    ],
  } satisfies Partial<ListedKind<unknown, MemberSettings>>;
}

/** The events a member area receives. */
export function accessEvents(revokes: boolean): DeliveryEvent[] {
  return revokes ? ["access.granted", "access.revoked"] : ["access.granted"];
}

/** Whether access ends with a refund. */
export function closes(events: DeliveryEvent[]): boolean {
  return events.includes("access.revoked");
}
