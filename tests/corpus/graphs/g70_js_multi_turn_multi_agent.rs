//! LangGraph.js: advisors that hand over to each other and to a person, without an end.

use super::stub::*;

stubs! {
    model travelAdvisor(SightseeingAdvisor, HotelAdvisor, Human);
    model sightseeingAdvisor(Human, TravelAdvisor, HotelAdvisor);
    model hotelAdvisor(Human, TravelAdvisor, SightseeingAdvisor);
    human human;
    router last_speaker(HotelAdvisor, SightseeingAdvisor, TravelAdvisor, Human);
}

graph! {
    #[graph(endless)]
    pub(crate) JsMultiTurnMultiAgent(State, Deps) {
        start -> travelAdvisor;
        travelAdvisor -> match { SightseeingAdvisor => sightseeingAdvisor, HotelAdvisor => hotelAdvisor, Human => human };
        sightseeingAdvisor -> match { Human => human, TravelAdvisor => travelAdvisor, HotelAdvisor => hotelAdvisor };
        hotelAdvisor -> match { Human => human, TravelAdvisor => travelAdvisor, SightseeingAdvisor => sightseeingAdvisor };
        human -> match last_speaker {
            HotelAdvisor => hotelAdvisor,
            SightseeingAdvisor => sightseeingAdvisor,
            TravelAdvisor => travelAdvisor,
            Human => human,
        };
    }
}
