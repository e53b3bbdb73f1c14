import { cardOn } from "#app/domain/storefront/build-palette.ts";
import { THANK_YOU_LABELS } from "#app/domain/storefront/customization-labels.ts";
import {
  REDIRECT_SECONDS,
  THANK_YOU_DEFAULTS,
  type ThankYouSettings,
} from "#app/domain/storefront/thank-you-settings.ts";
import { ExplainedToggle } from "#app/routes/seller/customization/explained-toggle.tsx";
import { Alert } from "#app/ui/seller/alert.tsx";
import type { CustomizationTab, Fields } from "#app/ui/seller/customization-screen.tsx";
import { CodeField } from "#app/ui/seller/form/code-field.tsx";
import { ColorField } from "#app/ui/seller/form/color-field.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { Select } from "#app/ui/seller/form/select.tsx";
import { PictureField } from "#app/ui/seller/picture/picture-field.tsx";
import { useTyped } from "#app/ui/seller/preview/live.ts";

const LABEL = THANK_YOU_LABELS;

/** The tabs in order, each with the fields that may have errors in it. */
export function thankYouTabs(fields: Fields, settings: ThankYouSettings): CustomizationTab[] {
  return [
    {
      id: "aparencia",
      label: "Aparência",
      fields: ["enabled", "logo_url", "primary_color", "background_color"],
      content: <Appearance fields={fields} settings={settings} />,
    },
    {
      id: "conteudo",
      label: "Conteúdo",
      fields: ["title", "subtitle", "custom_message"],
      content: <Content fields={fields} />,
    },
    {
      id: "comportamento",
      label: "Comportamento",
      fields: ["show_download_button", "download_button_text", "redirect_url", "auto_redirect_seconds"],
      content: <Behaviour fields={fields} settings={settings} />,
    },
  ];
}

function Appearance({ fields, settings }: { fields: Fields; settings: ThankYouSettings }) {
  const background = useTyped(settings, "background_color");
  return (
    <>
      <ExplainedToggle
        field={fields.enabled!}
        label={LABEL.enabled}
        help="Com as suas cores, textos e comportamento."
        offText="Desligada, quem compra vê a página padrão. O que você preencheu continua guardado."
        tone="info"
      />
      <PictureField
        field={fields.logo_url!}
        file={fields.logo_url_file!}
        pictureUse="logo"
        label={LABEL.logo_url}
        hint="O ideal é um PNG com fundo transparente, de 112 px de altura ou mais."
      />
      <ColorField
        field={fields.primary_color!}
        label={LABEL.primary_color}
        help="O botão de download e os destaques. Enquanto for a padrão, vale a do checkout."
        use={{ textOn: cardOn(background) }}
        givesWayAt={THANK_YOU_DEFAULTS.primary_color}
        consequence={(nearest) => `Na página usamos ${nearest}, a cor legível mais próxima.`}
      />
      <ColorField
        field={fields.background_color!}
        label={LABEL.background_color}
        help="Atrás dos cartões. Uma cor escura deixa a página toda escura."
        use={{ under: "text" }}
        consequence={(nearest) =>
          `O título e o rodapé ficam difíceis de ler. A cor legível mais próxima é ${nearest}.`
        }
      />
    </>
  );
}

function Content({ fields }: { fields: Fields }) {
  return (
    <>
      <Field
        field={fields.title!}
        label={LABEL.title}
        maxLength={120}
        help="Vazio, volta a ser “Obrigado pela sua compra!”."
      />
      <Field field={fields.subtitle!} label={LABEL.subtitle} optional maxLength={240} />
      <CodeField
        field={fields.custom_message!}
        label={LABEL.custom_message}
        rows={6}
        help="HTML simples: textos, listas, imagens e links. Código, formulários e páginas embutidas não são aceitos."
      />
    </>
  );
}

function Behaviour({ fields, settings }: { fields: Fields; settings: ThankYouSettings }) {
  const seconds = Number(useTyped(settings, "auto_redirect_seconds"));
  const address = useTyped(settings, "redirect_url").trim();
  return (
    <>
      <ExplainedToggle
        field={fields.show_download_button!}
        label={LABEL.show_download_button}
        help="Aparece quando o produto tem arquivo. Desligado, também some a lista do que foi comprado."
        offText="Sem o botão, quem compra só chega ao arquivo pelo e-mail de confirmação ou por Minhas compras. Numa compra sem e-mail, ou enquanto o e-mail atrasa ou não pôde ser entregue, o arquivo continua na página."
      />
      <Field
        field={fields.download_button_text!}
        label={LABEL.download_button_text}
        maxLength={40}
        help="Vazio, volta a ser “Baixar Produto”."
      />
      <Field
        field={fields.redirect_url!}
        label={LABEL.redirect_url}
        optional
        type="url"
        inputMode="url"
        placeholder="https://"
        help="Para onde leva o botão “Continuar para área de membros”. Vazio, vale o redirecionamento do produto."
      />
      <div>
        <Select
          field={fields.auto_redirect_seconds!}
          label={LABEL.auto_redirect_seconds}
          options={REDIRECT_SECONDS.map((value) => ({
            value: String(value),
            label: value === 0 ? "Desligado" : `Depois de ${value} segundos`,
          }))}
          help="A página mostra a contagem, e quem compra pode ficar."
        />
        <div role="status">
          {seconds > 0 && address === "" && (
            <Alert
              tone="info"
              live={false}
              className="mt-2"
              text="Sem um endereço acima, só é levado quem compra um produto com redirecionamento próprio."
            />
          )}
        </div>
      </div>
    </>
  );
}
