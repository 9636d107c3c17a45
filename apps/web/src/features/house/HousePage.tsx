import { accentOf, type Theme } from '@drawhouse/contract/house/accent';
import { DEFAULT_GAMBLING_HELP } from '@drawhouse/contract/house/gambling-help';
import { changeHouse, readHouse, type House } from '@drawhouse/contract/house/house';
import { Button, Input, Skeleton, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { IMAGE_HINT } from '../../lib/form/readImage.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { useWayBack } from '../../lib/navigation.ts';
import { pagePath } from '../../lib/paths.ts';
import { call, callQuery, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useUser } from '../../lib/session/session.ts';
import { AsideColumn, FormPage } from '../../ui/form/FormPage.tsx';
import { ImageInput } from '../../ui/form/ImageInput.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import { changesOfHouse, formOfHouse, helpError, houseErrors, isColor, linesOf, type HouseForm } from './houseForm.ts';
import classes from './HousePage.module.css';
import { houseTexts as texts } from './houseTexts.ts';

export function HousePage() {
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...callQuery(['house'], readHouse, {}),
    refetchOnMount: 'always',
  });
  if (data && isFetchedAfterMount) return <HouseFormPage house={data.data} />;
  return (
    <>
      <PageHeader title={texts.title} />
      {error ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="md" maw={420} aria-hidden>
          {[1, 2, 3, 4, 5].map((field) => (
            <Skeleton key={field} height={56} />
          ))}
        </Stack>
      )}
    </>
  );
}

function HouseFormPage({ house }: { house: House }) {
  const { role } = useUser();
  const { back } = useWayBack(pagePath(role, 'dashboard'));
  const form = useForm<HouseForm>({
    initialValues: formOfHouse(house),
    validateInputOnBlur: true,
    validate: houseErrors,
  });
  const changesOf = (values: HouseForm) => changesOfHouse(form.getInitialValues(), values);
  const change = useFormCall(form, {
    send: (values) => call(changeHouse, { body: changesOf(values) as never }, { fallback: texts.saveFailed }),
    beforeSend: (values, proceed) => {
      if (changesOf(values)) proceed();
      else notifications.show({ message: texts.unchanged });
    },
    onDone: ({ message, data }) => {
      notifications.show({ message });
      const saved = formOfHouse(data);
      form.setInitialValues(saved);
      form.setValues(saved);
      return reload(['house']);
    },
  });
  return (
    <FormPage
      title={texts.title}
      call={change}
      route={changeHouse}
      submitLabel={texts.save}
      busyLabel={texts.saving}
      onCancel={back}
    >
      <p className={classes.about}>{texts.about}</p>
      <AsideColumn>
        <Preview values={form.values} />
      </AsideColumn>
      <HouseFields form={form} />
    </FormPage>
  );
}

function HouseFields({ form }: { form: UseFormReturnType<HouseForm> }) {
  const fields = texts.fields;
  return (
    <>
      <TextInput label={fields.name} {...form.getInputProps('name')} />
      <Input.Wrapper
        label={fields.logo}
        description={`${IMAGE_HINT} ${fields.logoHint}`}
        labelElement="div"
        className={classes.logo}
      >
        <ImageInput
          name={fields.logo}
          caption={fields.logo}
          value={form.values.logo}
          error={form.errors['logo']}
          dataPath="logo"
          onChange={(image) => {
            form.setFieldValue('logo', image);
            form.clearFieldError('logo');
          }}
          onWrong={(message) => form.setFieldError('logo', message)}
        />
      </Input.Wrapper>
      <TextInput
        label={fields.color}
        description={fields.colorHint}
        spellCheck={false}
        rightSection={
          <input
            type="color"
            className={classes.pick}
            aria-label={fields.pickColor}
            value={isColor(form.values.color) ? form.values.color.trim() : OWN_ACCENTS.light.accent}
            onChange={({ currentTarget }) => form.setFieldValue('color', currentTarget.value)}
          />
        }
        {...form.getInputProps('color')}
      />
      <TextInput label={fields.helpLine} description={fields.helpLineHint} {...form.getInputProps('helpLine')} />
      <TextInput label={fields.ageNotice} {...form.getInputProps('ageNotice')} />
      <Textarea
        label={fields.terms}
        description={fields.termsHint}
        autosize
        minRows={4}
        maxRows={16}
        {...form.getInputProps('terms')}
      />
      <Textarea
        label={fields.gamblingHelp}
        description={fields.gamblingHelpHint}
        autosize
        minRows={4}
        maxRows={20}
        spellCheck={false}
        {...form.getInputProps('gamblingHelp')}
        error={helpError(form.errors)}
      />
      <Button
        variant="default"
        className={classes.defaults}
        onClick={() => form.setFieldValue('gamblingHelp', linesOf(DEFAULT_GAMBLING_HELP))}
      >
        {texts.defaults}
      </Button>
    </>
  );
}

/** Colors of players' pages by default (`apps/players/src/look.css`). */
const OWN_ACCENTS = {
  light: { accent: '#0b5a56', text: '#ffffff' },
  dark: { accent: '#6fc7bf', text: '#06201e' },
} as const;

function Preview({ values: { name, logo, color } }: { values: HouseForm }) {
  const chosen = isColor(color) ? color.trim().toLowerCase() : null;
  return (
    <section aria-label={texts.preview} className={classes.previews}>
      {(['light', 'dark'] as const).map((theme) => (
        <PreviewOf key={theme} theme={theme} name={name} logo={logo?.url} chosen={chosen} />
      ))}
    </section>
  );
}

interface PreviewOfProps {
  theme: Theme;
  name: string;
  logo: string | undefined;
  /** Null: the product's own. */
  chosen: string | null;
}

function PreviewOf({ theme, name, logo, chosen }: PreviewOfProps) {
  const { accent, text } = chosen === null ? OWN_ACCENTS[theme] : accentOf(chosen, theme);
  return (
    <div>
      <div className={classes.preview} data-theme={theme}>
        <p className={classes.brand}>
          {logo !== undefined && <img src={logo} alt="" height={36} />}
          <span>{name}</span>
        </p>
        <span className={classes.button} style={{ background: accent, color: text }}>
          {texts.button}
        </span>
        <span className={classes.link} style={{ color: accent }}>
          {texts.link}
        </span>
      </div>
      <p className={classes.note}>
        {texts.themes[theme]}
        {chosen !== null && accent !== chosen && `. ${texts.adjusted(accent)}`}
      </p>
    </div>
  );
}
