import { parseJson } from "#app/domain/gateway/providers/call-provider.server.ts";

/** Of chargebacks, whose ids have 18 digits. */
const LONG_IDS = /"(id|case_id|payment_id)"\s{0,10}:\s{0,10}(\d{15,30})\b/g;

/** Parses JSON in which some ids are numbers that JavaScript would round: these become text. Null where it is invalid. */
export function parseLongIds(text: string): unknown {
  return parseJson(text.replace(LONG_IDS, '"$1":"$2"'));
}
