// A consumer on QuickFIX for C++: keeps its numbers in files, asks for nothing anew with its Logon,
// and writes a line for each message: number, whether it is a possible duplicate, Text (58).
#include <quickfix/Application.h>
#include <quickfix/FileStore.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketInitiator.h>

#include <iostream>
#include <mutex>
#include <sstream>
#include <string>

class Consumer : public FIX::Application {
  std::mutex printing;

  void print(const std::string &line) {
    std::lock_guard<std::mutex> lock(printing);
    std::cout << line << std::endl;
  }

public:
  void onCreate(const FIX::SessionID &) override {}
  void onLogon(const FIX::SessionID &) override { print("logged on"); }
  void onLogout(const FIX::SessionID &) override { print("logged out"); }
  void toAdmin(FIX::Message &, const FIX::SessionID &) override {}
  void toApp(FIX::Message &, const FIX::SessionID &) throw(FIX::DoNotSend) override {}
  void fromAdmin(const FIX::Message &message, const FIX::SessionID &) throw(
      FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue,
      FIX::RejectLogon) override {
    if (message.getHeader().getField(35) == "4") {
      print("gap fill up to " + message.getField(36));
    }
  }
  void fromApp(const FIX::Message &message, const FIX::SessionID &) throw(
      FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue,
      FIX::UnsupportedMessageType) override {
    const FIX::Header &header = message.getHeader();
    print(header.getField(34) + " " + (header.isSetField(43) ? header.getField(43) : "N") + " " +
          message.getField(58));
  }
};

int main(int, char **arguments) {
  std::stringstream text;
  text << "[DEFAULT]\nConnectionType=initiator\nReconnectInterval=1\nHeartBtInt=5\n"
       << "StartTime=00:00:00\nEndTime=00:00:00\nUseDataDictionary=N\n"
       << "FileStorePath=" << arguments[2] << "\nSocketConnectHost=127.0.0.1\n"
       << "SocketConnectPort=" << arguments[1] << "\n[SESSION]\nBeginString=FIX.4.4\n"
       << "SenderCompID=" << arguments[3] << "\nTargetCompID=GATEWAY\n";
  FIX::SessionSettings settings(text);
  Consumer consumer;
  FIX::FileStoreFactory store(settings);
  FIX::SocketInitiator initiator(consumer, store, settings);
  initiator.start();
  std::string line;
  std::getline(std::cin, line); // a line, or the end of input, logs it out
  initiator.stop();
  return 0;
}
