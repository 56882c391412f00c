//! What English names are made of: titles, given names with their usual gender, and pet forms.

use super::Gender;

/// What a title says about its bearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Title {
    /// Mr., Herr, Monsieur.
    Mister,
    /// Mrs., Madame, Frau: the wife, or the widow, of a bearer of the surname.
    Missis,
    /// Miss, Mademoiselle.
    Miss,
    /// Master: a boy.
    Master,
    /// Aunt, grandmother: somebody's relation, a woman.
    Kinswoman,
    /// Uncle, grandfather: somebody's relation, a man.
    Kinsman,
    /// Lady, Duchess, Queen.
    Lady,
    /// Lord, Sir, Count, King.
    Lord,
    /// Captain, Doctor, Professor: what one does.
    Office,
}

impl Title {
    /// The gender that the title tells.
    pub fn gender(self) -> Gender {
        match self {
            Self::Missis | Self::Miss | Self::Kinswoman | Self::Lady => Gender::Female,
            Self::Mister | Self::Master | Self::Kinsman | Self::Lord => Gender::Male,
            Self::Office => Gender::Unknown,
        }
    }
}

/// The title that a word is, as it is written before a name; a final dot is left out.
pub fn title(word: &str) -> Option<Title> {
    Some(match word {
        "Mr" | "Mister" | "Herr" | "Monsieur" | "M" | "Signor" | "Don" | "Squire" => Title::Mister,
        "Mrs" | "Missis" | "Mistress" | "Madame" | "Madam" | "Mme" | "Frau" | "Signora" | "Widow" => {
            Title::Missis
        }
        "Miss" | "Ms" | "Mademoiselle" | "Mlle" | "Signorina" | "Fräulein" | "Fraulein" | "Misses" => {
            Title::Miss
        }
        "Master" => Title::Master,
        "Aunt" | "Aunty" | "Auntie" | "Grandma" | "Grandmamma" | "Grandmother" | "Mother" | "Sister"
        | "Cousin" | "Nurse" | "Granny" => Title::Kinswoman,
        "Uncle" | "Grandpa" | "Grandpapa" | "Grandfather" | "Father" | "Brother" => Title::Kinsman,
        "Lady" | "Dame" | "Duchess" | "Countess" | "Queen" | "Princess" | "Baroness" => Title::Lady,
        "Lord" | "Sir" | "Duke" | "Count" | "Earl" | "Baron" | "King" | "Prince" | "Marquis" => Title::Lord,
        "Captain" | "Capt" | "Colonel" | "Col" | "Major" | "General" | "Lieutenant" | "Sergeant"
        | "Admiral" | "Commodore" | "Dr" | "Doctor" | "Professor" | "Prof" | "Rev" | "Reverend" | "Judge"
        | "President" | "Inspector" | "Parson" | "Bishop" | "Deacon" => Title::Office,
        _ => return None,
    })
}

/// True for a form of address that names nobody when it stands alone; "King" and "Captain" may name someone.
pub fn is_honorific(word: &str) -> bool {
    let polite =
        ["Mr", "Mister", "Mrs", "Missis", "Ms", "Miss", "Dr", "Prof", "Rev", "Sir", "Madam", "Madame"];
    let foreign = ["Monsieur", "Mme", "Mlle", "Herr", "Frau", "Signor", "Signora", "Signorina"];
    polite.contains(&word) || foreign.contains(&word)
}

/// Words for relations: names only when another name follows.
pub const KIN_WORDS: &str = "mother father mamma mama papa mum mummy ma pa dad daddy sister brother aunt aunty \
    auntie uncle cousin grandma grandpa grandfather grandmother grandpapa grandmamma granny son daughter nephew niece \
    child baby wife husband sir madam ma'am miss mister master mistress lord lady doctor professor captain nurse";

const FEMALE: &str = "abigail ada adela adelaide adele agatha agnes alexandra alice alison alma amanda amelia amy \
    angela angelica ann anna annabel anne annie antonia arabella augusta aurora ava barbara beatrice becky belinda bella \
    belle bertha bess bessie beth betsy betsey betty blanche bridget camilla carol caroline carrie cassandra cathy \
    catherine katherine kathleen cecilia cecily celia charity charlotte chloe christina clara clarissa claudia \
    clementina constance cora cordelia cornelia cynthia daisy deborah delia diana dinah dolly dora dorcas doris \
    dorothea dorothy edith edna effie eleanor eliza elizabeth ella ellen elsie emilia emily emma esther ethel eugenia \
    eunice eva eve evelyn fanny felicia flo flora florence frances gertrude georgiana georgina geraldine gladys grace \
    greta hannah harriet hattie hatty helen helena henrietta hester hetty hilda hortense ida imogen irene isabel isabella \
    isabelle jane janet jean jennie jenny jemima jessica jessie jo joan joanna josephine josie joy judith judy julia \
    juliana juliet kate katie katy kitty laura lavinia leah lena letitia letty lettie lily linda lizzie lizzy lottie \
    lotty louisa louise lucinda lucretia lucy lydia mabel madeline madge maggie margaret margery maria mariana marian \
    marianne marie marion marjorie martha mary matilda maud maude may meg mercy mildred millicent millie minnie \
    miranda miriam molly muriel myra nan nancy naomi nell nellie nelly nina nora norah octavia olive olivia ophelia \
    pamela patience patty pauline peggy penelope phoebe phyllis polly priscilla prudence rachel rebecca rhoda rosa \
    rosalind rosamond rose rosie ruth sabina sallie sally sarah selina sibyl silvia sophia sophie sophy stella susan \
    susanna susie sybil sylvia tabitha tess theodora theresa thomasin tina ursula valentina vera victoria viola violet \
    virginia wilhelmina winifred zoe";

const MALE: &str = "aaron abel abraham abram adam adolphus adrian albert alec alexander alfred allan allen ambrose \
    amos andrew angus anthony antonio archibald archie arnold arthur augustus barnaby bartholomew basil ben benedict \
    benjamin bernard bertie bill billy bob bobby caleb cecil charles charley charlie christopher clarence claude \
    clement conrad cornelius cuthbert cyril dan daniel david denis dennis dick dominic donald duncan ebenezer \
    edgar edmund edward edwin eli elias emil enoch ephraim eric ernest eugene eustace ezra felix ferdinand fergus \
    francis frank fred freddy frederick friedrich fritz gabriel geoffrey george gerald gilbert giles \
    godfrey gregory griffin guy hal harold harry harvey hector heinrich henry herbert herman \
    horace horatio howard hubert hugh hugo humphrey ian isaac isaiah ishmael ivan jack jacob jabez james jasper jem \
    jeremiah jeremy jerome jerry jim jimmy job joe joel john johnny jonas jonathan joseph joshua josiah jude julian \
    julius karl kenneth kit konrad lawrence lemuel leonard leopold lewis lionel louis lucas ludwig luke marcus \
    mark marmaduke martin matthew maurice max michael miles mortimer moses nat nathan nathaniel neal ned neville \
    nicholas nick nigel noah noel norman oliver oscar oswald otto owen patrick paul percival percy peter phil philip \
    phineas pip quentin ralph randolph raphael raymond reginald reuben richard rob robert robin roderick rodney roger \
    roland rollo rowland rudolf rufus rupert sam samson samuel saul sebastian septimus seth sidney silas simeon simon \
    solomon stanley stephen steven sydney ted teddy theodore theophilus thomas tim timothy toby tobias tom tommy tony \
    tristram uriah valentine victor vincent vladimir walter warren wilfred wilhelm will william willie willy \
    zachariah zachary";

/// Forms of one given name, the formal one first; within a book two of them may be one person.
const FORMS: &[&str] = &[
    "margaret meg meggy maggie peggy madge margery greta marguerite",
    "elizabeth beth bethy eliza lizzy lizzie bess bessie betsy betsey betty elspeth lisbeth",
    "josephine jo josie josy",
    "catherine katherine kate katie katy kitty cathy kathleen kit",
    "mary maria molly polly mamie",
    "sarah sally sallie sadie",
    "ellen nelly nellie nell helen eleanor nora",
    "anne ann anna annie nan nancy nanny",
    "jane janet jenny jennie jean",
    "harriet hatty hattie hetty",
    "frances fanny fan",
    "florence flo flossie florrie",
    "charlotte lottie lotty lotte",
    "isabella isabel isabelle bella belle",
    "susan susanna susie sukey",
    "caroline carrie caro",
    "louisa louise lou",
    "henrietta hetty etta",
    "martha patty mattie",
    "matilda tilly maud",
    "rebecca becky",
    "dorothy dorothea dora dolly dot",
    "theodora dora",
    "emily em emmy",
    "emma em emmy",
    "georgiana georgina georgy",
    "amelia emmy milly millie",
    "wilhelmina minna minnie mina",
    "jessica jessie",
    "christina tina chrissy",
    "lucy lucinda lu",
    "sophia sophie sophy",
    "abigail abby",
    "penelope penny",
    "philippa pip",
    "theodore ted teddy theo",
    "edward ned ted teddy eddie neddy",
    "edmund ned",
    "robert rob bob bobby robin bertie",
    "john jack johnny jock",
    "james jim jimmy jem jamie",
    "william will bill billy willie willy",
    "thomas tom tommy",
    "frederick fred freddy",
    "friedrich fritz",
    "francis frank",
    "richard dick",
    "charles charley charlie",
    "henry harry hal",
    "george georgie",
    "joseph joe joey",
    "samuel sam sammy",
    "benjamin ben benny",
    "daniel dan danny",
    "david davy",
    "michael mike mick",
    "nicholas nick",
    "nathaniel nat",
    "nathan nat",
    "timothy tim",
    "anthony tony",
    "andrew andy",
    "alexander alec alick sandy",
    "albert bertie bert al",
    "arthur artie",
    "alfred alf fred",
    "walter wat",
    "philip phil pip",
    "christopher kit chris",
    "matthew matt mat",
    "peter pete",
    "laurence lawrence laurie larry",
    "augustus gus",
    "gilbert gil",
    "oliver noll",
    "abraham abe",
    "solomon sol",
    "geoffrey jeff",
    "heinrich heinz",
];

/// The usual gender of a given name, in small letters.
pub fn given_name(word: &str) -> Option<Gender> {
    if has(FEMALE, word) {
        Some(Gender::Female)
    } else if has(MALE, word) {
        Some(Gender::Male)
    } else {
        None
    }
}

/// True when two given names, in small letters, may be forms of one.
pub fn same_given_name(one: &str, other: &str) -> bool {
    one == other || FORMS.iter().any(|forms| has(forms, one) && has(forms, other))
}

/// True when one of the two is the formal name and the other a pet form of it.
pub fn is_pet_form(one: &str, other: &str) -> bool {
    let formal = |forms: &str, name: &str| forms.split(' ').next() == Some(name);
    one != other
        && FORMS
            .iter()
            .any(|forms| (formal(forms, one) || formal(forms, other)) && has(forms, one) && has(forms, other))
}

/// True for a given name, in small letters, that has other forms.
pub fn has_forms(name: &str) -> bool {
    FORMS.iter().any(|forms| has(forms, name))
}

/// Words for peoples and their languages, which taggers take for places: "a German student", "in French".
pub const PEOPLES: &str = "african american arab asian austrian belgian british bohemian canadian chinese christian \
    cuban danish dutch egyptian english european finnish flemish french german greek hebrew hindu hungarian indian irish \
    italian japanese jewish latin mexican moorish neapolitan norman norwegian parisian persian polish portuguese prussian \
    roman russian saxon scotch scottish spanish swedish swiss tartar turkish venetian welsh";

/// True for a word of the space-separated list.
pub fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_given_names_tell_gender() {
        assert_eq!(title("Mrs").map(Title::gender), Some(Gender::Female));
        assert_eq!(title("mrs"), None);
        assert_eq!(given_name("edgar"), Some(Gender::Male));
        assert_eq!(given_name("lamp"), None);
        assert!(same_given_name("lizzy", "eliza") && !same_given_name("jane", "elizabeth"));
        assert!(is_pet_form("lizzy", "elizabeth") && !is_pet_form("lizzy", "eliza"));
    }
}
