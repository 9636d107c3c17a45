import { HINDI_NAMES } from '@drawhouse/session/hindi-names';
import { translatorOf } from '@drawhouse/session/translate';
import type { ticketTexts } from '../ticket/ticketTexts.ts';
import { fairHindi } from './fairHindi.ts';

const fairTicketHindi = {
  title: 'टिकट जाँचें',
  lead: 'बेट बंद होने पर ऊपर के रूट ने इस ड्रॉ का हर टिकट तय कर दिया। टिकट की रसीद से यह पेज जाँचता है कि टिकट उनमें से एक है।',
  notYet:
    'बेट बंद होने पर एक रूट प्रकाशित होता है जो इस ड्रॉ का हर टिकट तय करता है। तब आप रसीद से यहाँ जाँच सकते हैं कि टिकट उनमें से एक है।',
  where: 'खिलाड़ी को रसीद यहाँ मिलती है:',
  label: 'रसीद',
  help: 'इसे यहाँ पेस्ट करें, या जिस फ़ाइल में रखी है उसे खोलें। यह इसी ब्राउज़र में रहती है।',
  open: 'फ़ाइल खोलें',
  steps: 'हर कदम दिखाएँ',
  tooLarge: 'रसीद के लिए यह फ़ाइल बहुत बड़ी है।',
  noJson: 'यह JSON नहीं है। पहले ब्रैकेट से आखिरी तक पूरी रसीद कॉपी करें।',
  unreadable: 'यह रसीद नहीं है',
  named: {
    title: 'रसीद चाहिए',
    text: 'यह सिर्फ़ टिकट नंबर है। इसके खिलाड़ी के रूप में साइन इन करें, रसीद खोलें और पूरी यहाँ कॉपी करें।',
    link: 'इसकी रसीद खोलें:',
  },
  otherDraw: {
    title: 'यह टिकट दूसरे ड्रॉ का है',
    text: 'इसकी रसीद उस ड्रॉ के पेज पर पेस्ट करें।',
    link: 'इस टिकट का ड्रॉ खोलें',
  },
  outcome: {
    in: {
      title: 'यह टिकट ड्रॉ में था',
      text:
        'इसका डाइजेस्ट इसकी जानकारी से मेल खाता है, और रास्ता वहाँ से बेट बंद होने पर प्रकाशित रूट तक पहुँचता है। ' +
        'यह बाद में जोड़ा, बदला या हटाया नहीं गया।',
    },
    wrong: {
      title: 'यह टिकट जाँच में सही नहीं निकला',
      text: 'रसीद को अपने पास वाली रसीद से मिलाएँ। दोनों सँभालकर रखें और हाउस से पूछें।',
    },
    open: {
      title: 'बेट अभी खुली है',
      text: 'डाइजेस्ट टिकट की जानकारी से मेल खाता है। इसे रखें, और बेट बंद होने पर रसीद फिर लें: तब उसमें रूट तक का रास्ता होगा।',
    },
    early: {
      title: 'यह रसीद बेट बंद होने से पहले की है',
      text: 'डाइजेस्ट टिकट की जानकारी से मेल खाता है। रसीद फिर लें: अब उसमें रूट तक का रास्ता है।',
    },
  },
} satisfies typeof ticketTexts;

const FINDINGS: Readonly<Record<string, string>> = {
  'No draw has this id. Check that you copied it completely.':
    'इस आईडी का कोई ड्रॉ नहीं है। देख लें कि आपने पूरी आईडी कॉपी की है।',
  'Something went wrong': 'कुछ गड़बड़ हो गई',
  'No connection to the server.': 'सर्वर से कनेक्शन नहीं है।',
  'The seed does not match the commitment.': 'सीड कमिटमेंट से मेल नहीं खाता।',
  'The published result differs from the one that the seed gives, {}.': 'प्रकाशित रिज़ल्ट सीड से निकले रिज़ल्ट, {}, से अलग है।',
  'The published booster differs from the one that the seed gives, {}.': 'प्रकाशित बूस्टर सीड से निकले बूस्टर, {}, से अलग है।',
  'The draw used version {} of the rules; this check knows version {}.':
    'ड्रॉ में नियमों का वर्शन {} था; यह जाँच वर्शन {} जानती है।',
  'The draw uses round {} of {}; by its close it must use {}.':
    'ड्रॉ में {2} का राउंड {1} है; बंद होने के समय से {3} होना चाहिए।',
  'The books are not sealed yet.': 'बही-खाते अभी सील नहीं हैं।',
  'This server sealed the books until {}. No witness has verified them.':
    'इस सर्वर ने {} तक बही-खाते सील किए। किसी गवाह ने उन्हें नहीं जाँचा।',
  'Log verified until {}, by {}.': 'लॉग {1} तक जाँचा गया, गवाह: {2}।',
  'Log verified until {}, by {}. No witness has verified later records.':
    'लॉग {1} तक जाँचा गया, गवाह: {2}। बाद के रिकॉर्ड किसी गवाह ने नहीं जाँचे।',
  '{} Sealing is paused; records committed meanwhile are sealed when it resumes.':
    '{} सील करना रुका हुआ है; इस बीच के रिकॉर्ड फिर शुरू होने पर सील होंगे।',
  number: 'नंबर',
  rank: 'कार्ड',
  suit: 'निशान',
  booster: 'बूस्टर',
};

const shared = translatorOf({ ...HINDI_NAMES, ...FINDINGS });

export const hindi: Readonly<Record<string, unknown>> = {
  fairTexts: fairHindi,
  fairTicketTexts: fairTicketHindi,
  sharedText: (english: string): string => shared(english) ?? english,
};

// index.html runs this script before the app, on pages below /fair.
globalThis.catalogue = { language: 'hi', textsOf: (name, english) => hindi[name] ?? english };
