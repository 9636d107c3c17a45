export interface GamblingHelp {
  /** ISO 3166 code, or {@link WORLD}. */
  readonly country: string;
  readonly name: string;
  /** Telephone number or website. */
  readonly contact: string;
}

/** UN M49 code, for all countries that are not listed. */
export const WORLD = '001';

/** Used until a superadmin replaces it. Translated for players. */
export const DEFAULT_AGE_NOTICE = 'Only adults may play.';

/** Used until a superadmin replaces them. Numbers change, so the settings page asks to check them. */
export const DEFAULT_GAMBLING_HELP: readonly GamblingHelp[] = [
  { country: 'AU', name: 'National Gambling Helpline', contact: '1800 858 858' },
  { country: 'CA', name: 'ConnexOntario', contact: '1-866-531-2600' },
  { country: 'CH', name: 'SOS Spielsucht', contact: '0800 040 080' },
  { country: 'DE', name: 'BIÖG Glücksspielsucht', contact: '0800 1 37 27 00' },
  { country: 'DK', name: 'StopSpillet', contact: '70 22 28 25' },
  { country: 'ES', name: 'Jugar Bien', contact: '900 200 225' },
  { country: 'FI', name: 'Peluuri', contact: '0800 100 101' },
  { country: 'FR', name: 'Joueurs Info Service', contact: '09 74 75 13 13' },
  { country: 'GB', name: 'National Gambling Helpline', contact: '0808 8020 133' },
  { country: 'IE', name: 'GamblingCare', contact: '1800 936 725' },
  { country: 'IN', name: 'Tele-MANAS', contact: '14416' },
  { country: 'IT', name: 'Telefono Verde', contact: '800 558 822' },
  { country: 'NL', name: 'Loket Kansspel', contact: 'loketkansspel.nl' },
  { country: 'NZ', name: 'Gambling Helpline', contact: '0800 654 655' },
  { country: 'SE', name: 'Stödlinjen', contact: '020-81 91 00' },
  { country: 'SG', name: 'National Problem Gambling Helpline', contact: '1800-6-668-668' },
  { country: 'US', name: 'National Problem Gambling Helpline', contact: '1-800-GAMBLER' },
  { country: 'ZA', name: 'National Responsible Gambling Programme', contact: '0800 006 008' },
  { country: WORLD, name: 'Gambling Therapy', contact: 'gamblingtherapy.org' },
];
