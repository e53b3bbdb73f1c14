import { formsOf } from "#tests/support/clients/page-forms.ts";

/** The forms whose save needs the version that was read, by the intent of their save. */
const PAGES: Record<string, string> = {
  profile: "/settings",
  notifications: "/settings?tab=notificacoes",
  gateways: "/settings?tab=gateways",
  "resend-key": "/settings?tab=gateways",
  save: "/settings/email",
  reminders: "/settings/email",
  "save-domain": "/settings/email?tab=domain",
  "create-domain": "/settings/email?tab=domain",
  "remove-domain": "/settings/email?tab=domain",
  "add-access": "/settings/email",
};

/** The buttons that send the version of another form: they are inside it, or it shows the same. */
const STANDS_IN: Record<string, string> = {
  "add-access": "save",
  "create-domain": "save-domain",
  "remove-domain": "save-domain",
};

/** A settings form as its page would post it: with the version that the page shows now. */
export async function withVersion(
  get: (page: string) => Promise<Response>,
  fields: Record<string, string>,
): Promise<Record<string, string>> {
  const { intent = "" } = fields;
  const page = PAGES[intent];
  if (!page) return fields;
  const forms = formsOf(page, await (await get(page)).text());
  const saves = STANDS_IN[intent] ?? intent;
  const form = forms.find((one) => one.fields.some(([name, value]) => name === "saves" && value === saves));
  const version = form?.fields.find(([name]) => name === "version")?.[1];
  if (!version) throw new Error(`no form on ${page} saves ${saves}`);
  return { ...fields, version };
}
