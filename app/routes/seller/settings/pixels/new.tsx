import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { PIXEL_KINDS } from "#app/db/schema/lists.ts";
import { pixelForm } from "#app/domain/delivery/pixel/pixel-form.server.ts";
import { createPixel } from "#app/domain/delivery/pixel/save-pixel.server.ts";
import { PIXEL_NAMES } from "#app/domain/delivery/pixel/settings.ts";
import { paths } from "#app/kit/paths.ts";
import { SERVICES } from "#app/routes/seller/settings/pixels/fields.ts";
import { PixelForm } from "#app/routes/seller/settings/pixels/form.tsx";
import { loadPixelChoices } from "#app/routes/seller/settings/pixels/loader.server.ts";
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
  const kind = PIXEL_KINDS.find((one) => one === requestedKind) ?? null;
  return { kind, choices: kind && (await loadPixelChoices(seller.id, kind)) };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = await readResumedForm(request, seller, await readPostedForm(request, MAX_SELLER_BODY));
  const submission = parseForm(form, pixelForm);
  if (submission.status !== "success") return invalidForm(submission);
  await requireRecentSignIn({ seller, form, request }, "pixel");
  try {
    const id = await createPixel(seller.id, submission.value, requestOrigin(request));
    const headers = { "Set-Cookie": await flashCookie("Pixel criado. Envie um teste para conferir.") };
    return redirect(paths.pixel(id), { headers });
  } catch (error) {
    return refusedForm(submission, error, request);
  }
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro ao criar pixel");
}

export { unlessUnreachable as shouldRevalidate };

export default function NewPixel() {
  const { kind, choices } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>() as FormReply | undefined;
  return (
    <Screen
      width="form"
      back={{
        to: kind ? paths.newPixel() : paths.pixels(),
        label: kind ? "Outro serviço" : "Pixels e conversões",
      }}
      title={kind ? `Novo pixel: ${PIXEL_NAMES[kind]}` : "Novo pixel"}
      text={kind ? SERVICES[kind].text : "Onde você anuncia?"}
      save={kind && { form: "pixel", intent: "save", label: "Criar pixel" }}
    >
      {kind && choices ? (
        <PixelForm
          defaults={{
            kind,
            name: "",
            pixel_id: "",
            token: "",
            events: choices.events.map(({ id }) => id),
            counts_pix: false,
            scope: "all",
            products: [],
          }}
          {...choices}
          reply={reply ?? null}
          submit="Criar pixel"
        />
      ) : (
        <Services />
      )}
    </Screen>
  );
}

function Services() {
  return (
    <Card flush>
      <ul className="-mt-4 divide-y divide-base-300 overflow-hidden rounded-box">
        {PIXEL_KINDS.map((kind) => (
          <LinkRow key={kind} to={paths.newPixel(kind)} name={PIXEL_NAMES[kind]}>
            <RowText>{SERVICES[kind].text}</RowText>
          </LinkRow>
        ))}
      </ul>
    </Card>
  );
}

export const meta: MetaFunction = () => [{ title: "Novo pixel · Checkintelli" }];
