import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { MEMBER_KINDS } from "#app/db/schema/lists.ts";
import { memberForm } from "#app/domain/delivery/member-area/member-form.server.ts";
import { createMemberArea } from "#app/domain/delivery/member-area/save-member-area.server.ts";
import { MEMBER_NAMES } from "#app/domain/delivery/member-area/settings.ts";
import { paths } from "#app/kit/paths.ts";
import { SERVICES } from "#app/routes/seller/settings/members/fields.ts";
import { MemberForm } from "#app/routes/seller/settings/members/form.tsx";
import { loadMemberChoices, newMemberArea } from "#app/routes/seller/settings/members/loader.server.ts";
import { invalidForm, parseForm, readPostedForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { flashCookie } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { readResumedForm, requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";
import { Card } from "#app/ui/seller/card.tsx";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { orFormError, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { LinkRow, RowText } from "#app/ui/seller/frame/link-row.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const requestedKind = new URL(request.url).searchParams.get("kind");
  const kind = MEMBER_KINDS.find((one) => one === requestedKind) ?? null;
  if (kind === null) return { form: null };
  const { products, items } = await loadMemberChoices(seller.id);
  return { form: { products, items, defaults: newMemberArea(kind, items) } };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = await readResumedForm(request, seller, await readPostedForm(request, MAX_SELLER_BODY));
  const submission = parseForm(form, memberForm);
  if (submission.status !== "success") return invalidForm(submission);
  await requireRecentSignIn({ seller, form, request }, "members");
  try {
    const id = await createMemberArea(seller.id, submission.value, requestOrigin(request));
    const headers = {
      "Set-Cookie": await flashCookie("Área de membros conectada. Faça um teste para conferir."),
    };
    return redirect(paths.memberArea(id), { headers });
  } catch (error) {
    return refusedForm(submission, error, request);
  }
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro ao conectar área de membros");
}

export { unlessUnreachable as shouldRevalidate };

export default function NewMemberArea() {
  const { form } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>() as FormReply | undefined;
  const kind = form?.defaults.kind;
  return (
    <Screen
      width="form"
      back={{
        to: kind ? paths.newMemberArea() : paths.memberAreas(),
        label: kind ? "Outro serviço" : "Áreas de membros",
      }}
      title={kind ? `Conectar a ${MEMBER_NAMES[kind]}` : "Conectar área de membros"}
      text={kind ? SERVICES[kind].text : "Onde estão as suas aulas?"}
      save={kind && { form: "member-area", intent: "save", label: "Conectar área" }}
    >
      {form ? <MemberForm {...form} known={[]} reply={reply ?? null} submit="Conectar área" /> : <Services />}
    </Screen>
  );
}

function Services() {
  return (
    <Card flush>
      <ul className="-mt-4 divide-y divide-base-300 overflow-hidden rounded-box">
        {MEMBER_KINDS.map((kind) => (
          <LinkRow key={kind} to={paths.newMemberArea(kind)} name={MEMBER_NAMES[kind]}>
            <RowText>{SERVICES[kind].text}</RowText>
          </LinkRow>
        ))}
        <LinkRow to={paths.newWebhook()} name="Outra">
          <RowText>Por webhook: a maioria recebe avisos no formato da Kiwify ou da Hotmart.</RowText>
        </LinkRow>
      </ul>
    </Card>
  );
}

export const meta: MetaFunction = () => [{ title: "Conectar área de membros · Checkintelli" }];
